/// An e-mail address without a display name: `alice@example.org`.
///
/// The local part is a dot-atom or a quoted string (RFC 5321, section 4.1.2), the domain a host name, each also with characters
/// beyond ASCII (RFC 6531, section 3.3). Comments and domains in brackets are refused.
public struct MailAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address.
    public let text: String

    /// The longest address in bytes (RFC 5321, section 4.5.3.1.3, without its brackets).
    public static let maximumSize = 254
    /// The longest local part in bytes (RFC 5321, section 4.5.3.1.1).
    private static let maximumLocalSize = 64

    /// Reads an address.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidMailAddress``.
    public init(_ text: String) throws(KeyshareServerError) {
        guard text.utf8.count <= Self.maximumSize, let at = text.utf8.lastIndex(of: UInt8(ascii: "@")),
            text.utf8[..<at].count <= Self.maximumLocalSize, Self.isLocalPart(text[..<at]),
            Self.isDomain(text[text.utf8.index(after: at)...])
        else { throw KeyshareServerError(.invalidMailAddress, "not an e-mail address") }
        self.text = text
    }

    /// Reads an address with or without a display name, which is dropped: `Alice <alice@example.org>`.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidMailAddress``.
    public init(mailbox text: String) throws(KeyshareServerError) {
        guard text.utf8.last == UInt8(ascii: ">"), let start = text.lastIndex(of: "<") else {
            try self.init(text)
            return
        }
        try self.init(String(text[text.index(after: start)...].dropLast()))
    }

    /// The address.
    public var description: String { text }

    private static func isLocalPart(_ text: Substring) -> Bool {
        guard text.first == "\"" else {
            return text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
                !atom.isEmpty
                    && Substring(atom).unicodeScalars.allSatisfy { scalar in
                        isLetterOrDigit(scalar) || isBeyondASCII(scalar)
                            || "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains(scalar)
                    }
            }
        }
        return isQuotedText(text.unicodeScalars.dropFirst())
    }

    /// Returns `true` for the rest of a quoted string of printable characters, in which a backslash quotes one.
    private static func isQuotedText(_ scalars: Substring.UnicodeScalarView) -> Bool {
        var rest = scalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return rest.isEmpty
            case "\\":
                guard let quoted = rest.popFirst(), isPrintable(quoted) else { return false }
            default:
                guard isPrintable(scalar) || isBeyondASCII(scalar) else { return false }
            }
        }
        return false
    }

    private static func isDomain(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.utf8.first != UInt8(ascii: "-")
                && label.utf8.last != UInt8(ascii: "-")
                && label.unicodeScalars.allSatisfy { isLetterOrDigit($0) || isBeyondASCII($0) || $0 == "-" }
        }
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar) || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool { (" "..."~").contains(scalar) }

    /// Returns `true` for a character beyond ASCII that shows as one: no control, no space, and none that turns the text's direction.
    private static func isBeyondASCII(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value > 0x7f else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned, .privateUse:
            return false
        default: return true
        }
    }
}
