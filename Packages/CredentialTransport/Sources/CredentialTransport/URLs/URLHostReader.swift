/// Reads the host of a URL.
enum URLHostReader {
    /// RFC 1035 section 2.3.4.
    private static let longestName = 253
    private static let longestLabel = 63

    static func host(_ text: ArraySlice<UInt8>) throws(TransportError) -> HTTPURL.Host {
        guard !text.isEmpty else { throw URLReader.invalid("has no host") }
        if text.first == UInt8(ascii: "[") {
            guard let address = IPAddress.version6(Array(text.dropFirst().dropLast())) else {
                throw URLReader.invalid("has no address of version 6 in its brackets")
            }
            return .address(.v6(address))
        }
        let labels = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let last = labels.last, !isNumber(last) else {
            guard let address = IPAddress.version4(text) else {
                throw URLReader.invalid("has an address of version 4 in an unusual spelling")
            }
            return .address(.v4(address))
        }
        guard text.count <= longestName, labels.allSatisfy(isLabel) else {
            throw URLReader.invalid("has a host that is no name of the DNS")
        }
        return .name(ASCII.lowercased(text))
    }

    /// Letters, digits and inner hyphens (RFC 1123 section 2.1).
    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        guard (1...longestLabel).contains(label.count) else { return false }
        guard label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-") else { return false }
        return label.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
    }

    /// Returns `true` if other parsers may take a host with this last label for an address: decimal, octal or
    /// hexadecimal.
    ///
    /// No top-level domain is a number (WHATWG URL section 3.5, "ends in a number").
    private static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
        guard !label.isEmpty else { return false }
        if label.allSatisfy(ASCII.isDigit) { return true }
        return label.starts(with: "0x".utf8) || label.starts(with: "0X".utf8)
    }
}
