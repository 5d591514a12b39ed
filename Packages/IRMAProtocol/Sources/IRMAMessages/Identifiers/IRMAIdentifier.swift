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
    public var parts: [Substring] {
        // Periods are found byte by byte, so that a long text costs little.
        text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 4, omittingEmptySubsequences: false)
            .map(Substring.init)
    }

    /// The largest number of bytes of a name: four names of files or folders, which have at most 255 each, and periods.
    public static var maximumSize: Int { 4 * 256 - 1 }

    /// Returns `true` for the right number of parts, none of which is empty or has a character that no file name has.
    public var isWellFormed: Bool {
        guard text.utf8.count <= Self.maximumSize else { return false }
        var (count, isEmpty) = (1, true)
        for byte in text.utf8 {
            if byte == UInt8(ascii: ".") {
                guard !isEmpty else { return false }
                (count, isEmpty) = (count + 1, true)
            } else {
                guard Self.isAllowed(byte) else { return false }
                isEmpty = false
            }
        }
        return !isEmpty && Self.partCounts.contains(count)
    }

    /// Reads the name.
    ///
    /// - Throws: ``IRMAError/Code/limitExceeded`` for more than ``maximumSize`` bytes.
    public init(json: JSONValue) throws(IRMAError) {
        let text = try json.text()
        guard text.utf8.count <= Self.maximumSize else {
            throw IRMAError(.limitExceeded, "a name of more than \(Self.maximumSize) bytes")
        }
        self.init(text)
    }

    /// The name as a string.
    public func json() -> JSONValue { .string(text) }

    /// The first parts, or all of them where there are no more.
    func prefix(_ count: Int) -> String { String(text[..<end(ofPart: count)]) }

    /// The position of the period behind a part, counted from 1, or the end of the text.
    func end(ofPart number: Int) -> String.Index {
        var left = number
        return text.utf8.firstIndex { byte in
            if byte == UInt8(ascii: ".") { left -= 1 }
            return left == 0
        } ?? text.endIndex
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
    public var attribute: String? {
        let period = end(ofPart: 3)
        guard period < text.endIndex else { return nil }
        return String(text[text.utf8.index(after: period)..<end(ofPart: 4)])
    }

    /// Returns `true` for a credential type as a whole.
    var isWhole: Bool { end(ofPart: 3) == text.endIndex }

    /// Returns `true` for an attribute of a credential type, and for the type as a whole.
    package func belongs(to type: CredentialTypeIdentifier) -> Bool {
        text.utf8[..<end(ofPart: 3)].elementsEqual(type.text.utf8)
    }
}
