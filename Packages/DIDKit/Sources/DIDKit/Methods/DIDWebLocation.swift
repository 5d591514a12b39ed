import CredentialTransport

/// The location of a `did:web` document (did:web Method Specification, section 2.5.2).
struct DIDWebLocation {
    /// The URL of the document.
    let documentURL: HTTPURL

    /// - Parameter identifier: The text behind `did:web:`: a host, perhaps with `%3A` and a port, then the segments of a path.
    /// - Throws: ``DIDError/Code/malformed`` for an address in place of a name, for a segment that is empty, that means
    ///   another folder or that holds a separator, and for a value that is not a URL.
    init(_ identifier: String) throws(DIDError) {
        let segments = identifier.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let authority = try Self.authority(segments[0])
        let path = segments.dropFirst()
        guard path.allSatisfy(Self.isSafe) else {
            throw DIDError(.malformed, "a segment of the path is empty or no plain name")
        }
        let folder = path.isEmpty ? ["", ".well-known"] : [""] + path.map { String(Substring($0)) }
        do throws(TransportError) {
            documentURL = try HTTPURL("https://" + authority + folder.joined(separator: "/") + "/did.json")
        } catch {
            throw DIDError(.malformed, error.message, cause: error)
        }
        guard case .name = documentURL.host else { throw DIDError(.malformed, "the host is an address") }
    }

    /// The host, and the port where there is one.
    private static func authority(_ text: Substring.UTF8View) throws(DIDError) -> String {
        guard let decoded = PercentEncoding.decode(text) else { throw DIDError(.malformed, "the host is no name") }
        let parts = decoded.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first, !host.isEmpty, host.allSatisfy(PercentEncoding.isPlain),
            parts.dropFirst().allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) })
        else { throw DIDError(.malformed, "the host is no name, or the port no number") }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Returns `true` for a safe segment of a path: once decoded, not empty, not `.` or `..`, and without separators.
    private static func isSafe(_ segment: Substring.UTF8View) -> Bool {
        guard let decoded = PercentEncoding.decode(segment), !decoded.isEmpty else { return false }
        guard decoded != [UInt8(ascii: ".")], decoded != [UInt8(ascii: "."), UInt8(ascii: ".")] else { return false }
        return decoded.allSatisfy { byte in byte >= 0x20 && byte != 0x7f && !"/\\?#%".utf8.contains(byte) }
    }
}
