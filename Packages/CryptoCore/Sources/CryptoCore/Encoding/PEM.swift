#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One textual encoding of a DER structure: a label and the bytes (RFC 7468).
public struct PEM: Hashable, Sendable {
    /// The label of the boundary lines, such as `CERTIFICATE` or `PRIVATE KEY`.
    public let label: String

    /// The bytes between them.
    public let bytes: [UInt8]

    /// Puts a label and bytes together.
    public init(label: String, bytes: [UInt8]) {
        self.label = label
        self.bytes = bytes
    }

    /// Reads text that holds exactly one structure; other text may stand before and after it.
    ///
    /// - Throws: ``CryptoError`` with the code ``CryptoError/Code/invalidPEM``.
    public init(_ text: some StringProtocol) throws(CryptoError) {
        let all = try PEM.all(in: text)
        guard let first = all.first, all.count == 1 else {
            throw CryptoError(.invalidPEM, "one structure was expected and \(all.count) were found")
        }
        self = first
    }

    /// Reads every structure of a text in order; text between them is skipped (RFC 7468, 5.2).
    ///
    /// The base64 text may be broken into lines of any length, but nothing else may stand between the boundaries: no
    /// headers as encrypted keys of old carry, no misplaced padding, no unused bits that are not zero.
    /// - Throws: ``CryptoError`` with the code ``CryptoError/Code/invalidPEM``.
    public static func all(in text: some StringProtocol) throws(CryptoError) -> [PEM] {
        try all(in: Array(text.utf8))
    }

    /// Reads every structure of a text given as UTF-8 bytes, such as a file's content.
    ///
    /// - Throws: ``CryptoError`` with the code ``CryptoError/Code/invalidPEM``.
    public static func all(in text: [UInt8]) throws(CryptoError) -> [PEM] {
        var reader = PEMReader(text)
        var found: [PEM] = []
        while let next = try reader.next() { found.append(next) }
        return found
    }

    /// The text: boundary lines, base64 in lines of 64 characters, a line feed at the end.
    public var text: String {
        var text = Array("-----BEGIN \(label)-----\n".utf8)
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + 48)
            Base64.append(bytes[start..<end], to: &text)
            text.append(UInt8(ascii: "\n"))
            start = end
        }
        text += Array("-----END \(label)-----\n".utf8)
        return String(decoding: text, as: UTF8.self)
    }
}

extension ContiguousBytes {
    /// The bytes as an array; an array is handed on without a copy.
    @inlinable
    func copied() -> [UInt8] {
        if let array = self as? [UInt8] { return array }
        return unsafe withUnsafeBytes { unsafe [UInt8]($0) }
    }
}
