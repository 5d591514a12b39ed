import VerificationCore

/// A DID with a path, a query or a fragment behind it, such as the name of a verification method (Decentralized Identifiers
/// 1.0, section 3.2).
///
/// Two are equal if their bytes are.
public struct DIDURL: Hashable, Sendable, CustomStringConvertible {
    /// The URL in full.
    public let text: String
    /// The DID.
    public let did: DID
    /// The path with its leading `/`, or nothing.
    public let path: String
    /// The query behind `?`, or nil.
    public let query: String?
    /// The fragment behind `#`, or nil.
    public let fragment: String?

    /// Indicates a DID alone, without path, query and fragment.
    ///
    /// Some signers name their key so. It stands for the only verification method of the DID, see
    /// ``DIDResolver/onlyVerificationMethod(of:for:at:)``.
    public var isDID: Bool { text.hasSameBytes(as: did.text) }

    /// Reads a DID URL.
    ///
    /// - Parameters:
    ///   - text: The URL in full, or from the path, query or fragment on (section 3.2.2).
    ///   - base: The DID that a relative URL belongs to; with nil, relative ones are refused.
    /// - Throws: ``DIDError/Code/malformed``.
    public init(_ text: String, relativeTo base: DID? = nil) throws(DIDError) {
        guard text.utf8.count <= DID.maximumLength else {
            throw DIDError(.malformed, "it is longer than \(DID.maximumLength) bytes")
        }
        let end = text.utf8.firstIndex { "/?#".utf8.contains($0) } ?? text.endIndex
        if end == text.startIndex, let base, !text.isEmpty {
            did = base
            self.text = base.text + text
        } else {
            did = try DID(String(text[..<end]))
            self.text = text
        }
        (path, query, fragment) = try Self.parts(of: text[end...])
    }

    /// Names a fragment of a DID.
    init(_ did: DID, fragment: String) {
        self.did = did
        self.fragment = fragment
        (path, query) = ("", nil)
        text = did.text + "#" + fragment
    }

    /// Compares the bytes.
    public static func == (left: DIDURL, right: DIDURL) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { ExactText(text).hash(into: &hasher) }

    /// The URL, which has no invisible characters.
    public var description: String { text }

    private static func parts(of text: Substring) throws(DIDError) -> (String, String?, String?) {
        let halves = text.utf8.split(separator: UInt8(ascii: "#"), maxSplits: 1, omittingEmptySubsequences: false)
        let front = halves[0].split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let parts = [front[0]] + front.dropFirst() + halves.dropFirst()
        guard parts.allSatisfy({ PercentEncoding.isValid(Array($0), isURLCharacter) }) else {
            throw DIDError(.malformed, "a character of the path, query or fragment must be percent-encoded")
        }
        return (
            String(Substring(front[0])),
            front.count == 2 ? String(Substring(front[1])) : nil,
            halves.count == 2 ? String(Substring(halves[1])) : nil
        )
    }

    /// The characters of `pchar` with `/` and `?` (RFC 3986, section 3.3).
    private static func isURLCharacter(_ byte: UInt8) -> Bool {
        PercentEncoding.isPlain(byte) || "~!$&'()*+,;=:@/?".utf8.contains(byte)
    }
}
