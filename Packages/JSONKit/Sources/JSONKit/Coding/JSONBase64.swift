/// Bytes as text: base64 with padding, or base64url without (RFC 4648).
///
/// Reading is strict, so that one text stands for each sequence of bytes: no white space, no character of another
/// alphabet, padding exactly as written, and unused bits of the last character zero.
public struct JSONBase64: Hashable, Sendable {
    /// Section 4: `+` and `/`, padded with `=`.
    public static let base64 = JSONBase64(isURLSafe: false)
    /// Section 5: `-` and `_`, without padding, as JOSE uses it.
    public static let base64url = JSONBase64(isURLSafe: true)

    private let isURLSafe: Bool

    /// The text of some bytes.
    public func encode(_ bytes: some Collection<UInt8>) -> String {
        let alphabet = Array(isURLSafe ? Self.urlAlphabet.utf8 : Self.alphabet.utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var bitCount = 0
        for byte in bytes {
            bits = (bits & 0x3f) << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(alphabet[Int(bits >> UInt32(bitCount) & 0x3f)])
            }
        }
        if bitCount > 0 { text.append(alphabet[Int(bits << UInt32(6 - bitCount) & 0x3f)]) }
        while !isURLSafe, text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text.
    ///
    /// - Throws: ``JSONError/Code/invalidBase64``.
    public func decode(_ text: some Collection<UInt8>) throws(JSONError) -> [UInt8] {
        let characters = try withoutPadding(text)
        guard characters.count % 4 != 1 else { throw Self.error("its length is impossible") }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var bitCount = 0
        for character in characters {
            guard let value = value(of: character) else { throw Self.error("a character is not in its alphabet") }
            bits = (bits & 0xff) << 6 | UInt32(value)
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
        }
        guard bits & (1 << UInt32(bitCount) - 1) == 0 else { throw Self.error("its unused bits are not zero") }
        return bytes
    }

    /// The bytes of a text.
    ///
    /// - Throws: ``JSONError/Code/invalidBase64``.
    public func decode(_ text: some StringProtocol) throws(JSONError) -> [UInt8] {
        try decode(Array(text.utf8))
    }

    private func withoutPadding<Text: Collection<UInt8>>(_ text: Text) throws(JSONError) -> Text.SubSequence {
        guard !isURLSafe else { return text[...] }
        guard text.count % 4 == 0 else { throw Self.error("its length is no multiple of four") }
        let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
        return text.dropLast(padding)
    }

    private func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: isURLSafe ? "-" : "+"): 62
        case UInt8(ascii: isURLSafe ? "_" : "/"): 63
        default: nil
        }
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let alphabet = letters + "+/"
    private static let urlAlphabet = letters + "-_"

    private static func error(_ reason: String) -> JSONError {
        JSONError(.invalidBase64, "a text is not base64: \(reason)")
    }
}
