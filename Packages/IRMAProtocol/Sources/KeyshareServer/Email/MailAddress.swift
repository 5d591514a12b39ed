/// An e-mail address without a display name: `alice@example.org`.
///
/// The local part is a dot-atom of RFC 5322, section 3.2.3, the domain a host name; quoted local parts, comments, addresses in
/// brackets and characters beyond ASCII are refused.
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
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumSize, let at = bytes.lastIndex(of: UInt8(ascii: "@")),
            at <= Self.maximumLocalSize, Self.isLocalPart(bytes[..<at]), Self.isDomain(bytes[(at + 1)...])
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

    private static func isLocalPart(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy { isLetterOrDigit($0) || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
        }
    }

    private static func isDomain(_ bytes: ArraySlice<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                && label.allSatisfy { isLetterOrDigit($0) || $0 == hyphen }
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
