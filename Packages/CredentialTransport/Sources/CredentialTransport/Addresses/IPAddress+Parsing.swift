extension IPAddress {
    /// Four decimal numbers up to 255 with dots between, none with a leading zero.
    static func version4(_ text: ArraySlice<UInt8>) -> UInt32? {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var address: UInt32 = 0
        for part in parts {
            guard let octet = octet(part) else { return nil }
            address = address << 8 | UInt32(octet)
        }
        return address
    }

    private static func octet(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard (1...3).contains(digits.count), digits.allSatisfy(ASCII.isDigit) else { return nil }
        guard digits.count == 1 || digits.first != UInt8(ascii: "0") else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self))
    }

    /// The longest text of an address of version 6: six groups and a dotted version 4 address.
    private static let longestVersion6 = 45

    /// RFC 4291 section 2.2: eight groups of up to four hexadecimal digits, one run of zeros as `::`, and perhaps the last
    /// two groups in the form of version 4.
    static func version6(_ text: [UInt8]) -> UInt128? {
        guard text.count <= longestVersion6 else { return nil }
        guard let gap = doubleColon(in: text) else {
            guard let groups = groups(text[...], mayEndIn4: true), groups.count == 8 else { return nil }
            return joined(groups)
        }
        guard doubleColon(in: Array(text[(gap + 1)...])) == nil else { return nil }
        guard let head = groups(text[..<gap], mayEndIn4: false) else { return nil }
        guard let tail = groups(text[(gap + 2)...], mayEndIn4: true) else { return nil }
        guard head.count + tail.count < 8 else { return nil }
        return joined(head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail)
    }

    private static func doubleColon(in text: [UInt8]) -> Int? {
        guard text.count >= 2 else { return nil }
        return (0..<text.count - 1).first { text[$0] == UInt8(ascii: ":") && text[$0 + 1] == UInt8(ascii: ":") }
    }

    private static func groups(_ text: ArraySlice<UInt8>, mayEndIn4: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if mayEndIn4, index == parts.count - 1, let address = version4(part) {
                groups += [UInt16(address >> 16), UInt16(address & 0xffff)]
            } else if let group = group(part) {
                groups.append(group)
            } else {
                return nil
            }
        }
        return groups
    }

    private static func group(_ digits: ArraySlice<UInt8>) -> UInt16? {
        guard (1...4).contains(digits.count), digits.allSatisfy(ASCII.isHexDigit) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func joined(_ groups: [UInt16]) -> UInt128 {
        groups.reduce(0) { $0 << 16 | UInt128($1) }
    }
}
