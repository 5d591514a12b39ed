import VerificationCore

/// A decentralized identifier, such as `did:web:issuer.example` (Decentralized Identifiers 1.0, section 3.1).
///
/// Two are equal if their bytes are.
public struct DID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as received.
    public let text: String
    /// The name of the method, such as `web`.
    public let method: String
    /// The method-specific identifier: everything behind the method.
    public let identifier: String

    /// The longest text that is read, in bytes: enough for a key in a DID.
    public static let maximumLength = 8192

    /// Reads a DID without path, query and fragment.
    ///
    /// - Throws: ``DIDError/Code/malformed``.
    public init(_ text: String) throws(DIDError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw DIDError(.malformed, "it is longer than \(Self.maximumLength) bytes")
        }
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual("did".utf8), !parts[1].isEmpty,
            parts[1].allSatisfy(Self.isMethodCharacter)
        else { throw DIDError(.malformed, "it does not begin with did: and a method") }
        guard Self.isIdentifier(Array(parts[2])) else {
            throw DIDError(.malformed, "the text behind the method is no identifier")
        }
        self.init(text, method: String(Substring(parts[1])), identifier: String(Substring(parts[2])))
    }

    /// Takes a DID whose parts are valid.
    init(method: String, identifier: String) {
        self.init("did:" + method + ":" + identifier, method: method, identifier: identifier)
    }

    private init(_ text: String, method: String, identifier: String) {
        self.text = text
        self.method = method
        self.identifier = identifier
    }

    /// Compares the bytes.
    public static func == (left: DID, right: DID) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { ExactText(text).hash(into: &hasher) }

    /// The identifier, which has no invisible characters.
    public var description: String { text }

    private static func isMethodCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    /// Letters, digits, `.`, `-`, `_`, `%XX` and colons, the last of which is followed by something.
    private static func isIdentifier(_ text: [UInt8]) -> Bool {
        guard let last = text.last, last != UInt8(ascii: ":") else { return false }
        return PercentEncoding.isValid(text) { $0 == UInt8(ascii: ":") || PercentEncoding.isPlain($0) }
    }
}
