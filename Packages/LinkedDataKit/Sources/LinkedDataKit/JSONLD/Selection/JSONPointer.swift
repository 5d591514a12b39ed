public import JSONKit
public import VerificationCore

/// A place in a JSON document (RFC 6901), such as `/credentialSubject/name`.
///
/// Issuers name with pointers what a holder must always disclose, and holders what they disclose besides.
public struct JSONPointer: Hashable, Sendable {
    /// The text as given; empty for the whole document.
    public let text: ExactText
    /// The names and indexes that lead to the place, without escapes.
    public let tokens: [ExactText]

    /// The largest number of tokens.
    public static let maximumDepth = 64

    /// The pointer to the whole document.
    public static let document = JSONPointer(unchecked: [])

    /// Reads a pointer (RFC 6901, section 3).
    ///
    /// - Throws: ``LinkedDataError/Code/invalidPointer`` for a text that is neither empty nor begins with a slash, for
    ///   a tilde before anything but 0 and 1, and for more than ``maximumDepth`` tokens.
    public init(_ text: String) throws(LinkedDataError) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard text.isEmpty || parts.first?.isEmpty == true else {
            throw LinkedDataError(.invalidPointer, "\(ExactText(text)) does not begin with a slash")
        }
        guard parts.count <= Self.maximumDepth + 1 else { throw Self.tooDeep }
        var tokens: [ExactText] = []
        for part in parts.dropFirst() {
            guard let token = Self.unescaped(part) else {
                throw LinkedDataError(.invalidPointer, "\(ExactText(text)) has a tilde before neither 0 nor 1")
            }
            tokens.append(token)
        }
        self.text = ExactText(text)
        self.tokens = tokens
    }

    /// The pointer of the names and indexes that lead to a place.
    ///
    /// - Parameter tokens: The names and indexes, without escapes; an index as decimal digits.
    /// - Throws: ``LinkedDataError/Code/invalidPointer`` for more than ``maximumDepth`` tokens.
    public init(tokens: [ExactText]) throws(LinkedDataError) {
        guard tokens.count <= Self.maximumDepth else { throw Self.tooDeep }
        self.init(unchecked: tokens)
    }

    private init(unchecked tokens: [ExactText]) {
        self.tokens = tokens
        text = ExactText(String(decoding: tokens.flatMap(Self.escaped), as: UTF8.self))
    }

    private static let tooDeep = LinkedDataError(
        .invalidPointer,
        "a pointer has more than \(maximumDepth) tokens"
    )

    /// A slash and the token with its escapes.
    private static func escaped(_ token: ExactText) -> [UInt8] {
        var bytes = [UInt8(ascii: "/")]
        for byte in token.text.utf8 {
            switch byte {
            case UInt8(ascii: "~"): bytes += "~0".utf8
            case UInt8(ascii: "/"): bytes += "~1".utf8
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    /// The text of a token, or nil for an escape that does not exist.
    private static func unescaped(_ token: some Sequence<UInt8>) -> ExactText? {
        var bytes: [UInt8] = []
        var iterator = token.makeIterator()
        while let byte = iterator.next() {
            guard byte == UInt8(ascii: "~") else {
                bytes.append(byte)
                continue
            }
            switch iterator.next() {
            case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return ExactText(String(decoding: bytes, as: UTF8.self))
    }

    /// The index of an array element that a token stands for: decimal digits without a leading zero; else nil.
    static func index(_ token: ExactText, in elements: [JSONValue]) -> Int? {
        let digits = token.text.utf8
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            digits.first != UInt8(ascii: "0") || digits.count == 1, let index = Int(token.text),
            elements.indices.contains(index)
        else { return nil }
        return index
    }

    /// The value that the pointer leads to (RFC 6901, section 4).
    ///
    /// - Throws: ``LinkedDataError/Code/invalidPointer`` for a place that the document does not have.
    func value(in document: JSONObject) throws(LinkedDataError) -> JSONValue {
        var value = JSONValue.object(document)
        for token in tokens {
            let next: JSONValue? =
                switch value {
                case .object(let members): members[token.text]
                case .array(let elements): Self.index(token, in: elements).map { elements[$0] }
                default: nil
                }
            guard let next else {
                throw LinkedDataError(.invalidPointer, "the document has nothing at \(text)", path: [text.text])
            }
            value = next
        }
        return value
    }
}

extension JSONPointer: CustomStringConvertible {
    /// The text, with invisible characters escaped.
    public var description: String { "\(text)" }
}

extension JSONPointer {
    /// The members that restrict a credential, or that verifiers act on.
    private static let restrictingMembers = [
        "issuer", "validFrom", "validUntil", "issuanceDate", "expirationDate", "credentialStatus", "termsOfUse",
        "relatedResource",
    ]

    /// The places of what restricts a credential: its issuer, dates, status, terms of use and stated digests, as far as
    /// it has them.
    ///
    /// A verifier cannot notice the absence of what a holder leaves out. An issuer that does not make the status or the
    /// end of validity mandatory lets the holder present a credential without them.
    public static func restrictions(of credential: JSONObject) -> [JSONPointer] {
        restrictingMembers.filter(credential.contains).map { JSONPointer(unchecked: [ExactText($0)]) }
    }
}
