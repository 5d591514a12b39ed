public import JSONKit

/// The name of a scheme, an issuer, a credential type or an attribute: parts with periods between them.
///
/// Any text makes one; ``isWellFormed`` is `true` if it has the parts that its kind demands.
public protocol IRMAIdentifier: ExactName, IRMAMessage {
    /// The number of parts that a name of this kind has.
    static var partCounts: ClosedRange<Int> { get }
}

extension IRMAIdentifier {
    /// The parts.
    ///
    /// No name has more than four: a fifth is all that follows.
    public var parts: [Substring] { parts(upTo: 5) }

    /// Returns `true` for the right number of parts, none of which is empty or has a character that no file name has.
    public var isWellFormed: Bool {
        // A part is the name of a file or folder, which has at most 255 bytes.
        text.utf8.count < 4 * 256
            && Self.partCounts.contains(text.utf8.reduce(1) { $1 == UInt8(ascii: ".") ? $0 + 1 : $0 })
            && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(Self.isAllowed) }
    }

    /// Reads the name.
    public init(json: JSONValue) throws(IRMAError) {
        self.init(try json.text())
    }

    /// The name as a string.
    public func json() -> JSONValue { .string(text) }

    /// The first parts, or all of them where there are no more.
    func prefix(_ count: Int) -> String { parts(upTo: count + 1).prefix(count).joined(separator: ".") }

    /// At most so many parts, the last of which is all that follows.
    ///
    /// Periods are found byte by byte, so that a long text costs little.
    private func parts(upTo count: Int) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: "."), maxSplits: count - 1, omittingEmptySubsequences: false)
            .map(Substring.init)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7f && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "\\")
    }
}

/// The name of a scheme, such as `pbdf`.
public struct SchemeIdentifier: IRMAIdentifier {
    /// The name as received.
    public let text: String

    /// Keeps a name.
    public init(_ text: String) {
        self.text = text
    }

    /// One part.
    public static let partCounts = 1...1
}

/// The name of an issuer: `scheme.issuer`.
public struct IssuerIdentifier: IRMAIdentifier {
    /// The name as received.
    public let text: String

    /// Keeps a name.
    public init(_ text: String) {
        self.text = text
    }

    /// Two parts.
    public static let partCounts = 2...2

    /// The scheme that the issuer belongs to.
    public var scheme: SchemeIdentifier { SchemeIdentifier(prefix(1)) }
}

/// The name of a credential type: `scheme.issuer.type`.
public struct CredentialTypeIdentifier: IRMAIdentifier {
    /// The name as received.
    public let text: String

    /// Keeps a name.
    public init(_ text: String) {
        self.text = text
    }

    /// Three parts.
    public static let partCounts = 3...3

    /// The scheme that the issuer belongs to.
    public var scheme: SchemeIdentifier { SchemeIdentifier(prefix(1)) }
    /// The issuer.
    public var issuer: IssuerIdentifier { IssuerIdentifier(prefix(2)) }
}

/// The name of an attribute, `scheme.issuer.type.attribute`, or of a credential type as a whole, whose possession is shown.
public struct AttributeIdentifier: IRMAIdentifier {
    /// The name as received.
    public let text: String

    /// Keeps a name.
    public init(_ text: String) {
        self.text = text
    }

    /// The name of an attribute of a type.
    public init(_ type: CredentialTypeIdentifier, attribute: String) {
        text = "\(type.text).\(attribute)"
    }

    /// Three or four parts.
    public static let partCounts = 3...4

    /// The credential type.
    public var credentialType: CredentialTypeIdentifier { CredentialTypeIdentifier(prefix(3)) }
    /// The attribute's own name, or nil for the credential type as a whole.
    public var attribute: String? { parts.count > 3 ? String(parts[3]) : nil }
}
