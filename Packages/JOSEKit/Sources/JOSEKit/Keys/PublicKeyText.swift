import CryptoCore
import JSONKit

/// The text forms of public keys.
enum PublicKeyText {
    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
    private static let wideMarks: [[UInt8]] = [[0xff, 0xfe], [0xfe, 0xff]]
    private static let markers = ["-----BEGIN ", "---- BEGIN ", "ssh-", "sk-ssh-", "ecdsa-sha2-", "sk-ecdsa-"]

    /// Returns `true` for white space, and for the zero that ends a text in C.
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0d ~= byte || byte == 0 }

    private static func isPrintable(_ byte: UInt8) -> Bool { 0x20...0x7e ~= byte || 0x09...0x0d ~= byte }

    /// Returns `true` if bytes may be the start of a text.
    static func mayBeText(_ start: Slice<UnsafeRawBufferPointer>) -> Bool {
        let hasMark = ([byteOrderMark] + wideMarks).contains { unsafe start.starts(with: $0) }
        return unsafe hasMark || start.allSatisfy(isPrintable)
    }

    /// The bytes without blanks and byte order marks around them; UTF-16 with a mark becomes UTF-8.
    static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        var rest = bytes[...]
        if let mark = wideMarks.first(where: { rest.starts(with: $0) }) {
            // An ASCII text in UTF-16 has a zero in every other byte.
            let isLittleEndian = mark == [0xff, 0xfe]
            let units = rest.dropFirst(2)
            rest = units.indices.filter { ($0 % 2 == 0) == isLittleEndian }.map { units[$0] }[...]
        }
        rest = rest.drop(while: isBlank)
        if rest.starts(with: byteOrderMark) { rest = rest.dropFirst(byteOrderMark.count).drop(while: isBlank) }
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return Array(rest)
    }

    /// Returns `true` for a text with a marker of its form: PEM, OpenSSH, a key or a key set in JSON.
    static func isMarked(_ text: [UInt8]) -> Bool {
        if markers.contains(where: { text.starts(with: $0.utf8) }) || holdsBoundary(text) { return true }
        guard text.first == UInt8(ascii: "{") else { return false }
        guard let value = try? JSONValue(parsing: text, limits: JOSELimits.default.json) else { return false }
        return value["kty"] != nil || value["keys"] != nil
    }

    /// Returns `true` for a text with a PEM boundary at the start of a line; other text may come before it (RFC 7468,
    /// section 5.2).
    private static func holdsBoundary(_ text: [UInt8]) -> Bool {
        guard text.allSatisfy(isPrintable) else { return false }
        return text.split(whereSeparator: { 0x0a...0x0d ~= $0 }).contains { $0.starts(with: markers[0].utf8) }
    }

    /// The bytes of a text in base16, ignoring colons and white space; nil for any other.
    static func base16(_ text: [UInt8]) -> [UInt8]? {
        var digits: [UInt8] = []
        defer { wipe(&digits) }
        for byte in text where !isBlank(byte) && byte != UInt8(ascii: ":") {
            guard let value = UInt8(exactly: Character(Unicode.Scalar(byte)).hexDigitValue ?? 256) else { return nil }
            digits.append(value)
        }
        guard !digits.isEmpty, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// The bytes of a text in base64 or base64url, ignoring padding and white space; nil for any other.
    static func base64(_ text: [UInt8]) -> [UInt8]? {
        var characters: [UInt8] = []
        defer { wipe(&characters) }
        for byte in text where !isBlank(byte) {
            switch byte {
            case UInt8(ascii: "+"): characters.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): characters.append(UInt8(ascii: "_"))
            default: characters.append(byte)
            }
        }
        while characters.last == UInt8(ascii: "=") { characters.removeLast() }
        guard !characters.isEmpty else { return nil }
        return try? Base64URL.decode(characters)
    }
}
