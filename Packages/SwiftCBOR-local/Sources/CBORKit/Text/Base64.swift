/// Base64 text (RFC 4648 sections 4 and 5).
enum Base64 {
    /// The characters of the values 62 and 63.
    enum Alphabet {
        /// `+` and `/`.
        case standard
        /// `-` and `_`.
        case url
    }

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// The bytes as text.
    static func text(_ bytes: some Collection<UInt8>, alphabet: Alphabet, isPadded: Bool) -> String {
        let characters = letters + (alphabet == .standard ? "+/" : "-_").utf8
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(characters[Int(bits >> UInt32(count) & 63)])
            }
        }
        if count > 0 { text.append(characters[Int(bits << UInt32(6 - count) & 63)]) }
        while isPadded, text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of text in either alphabet, with or without padding; nil for other characters, a length that cannot be,
    /// or bits left over that are not zero.
    static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding == 0 || padding <= 2 && text.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for character in text.dropLast(padding) {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return count < 6 && bits & (1 << UInt32(count) - 1) == 0 ? bytes : nil
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: letters.firstIndex(of: character).map(UInt32.init)
        }
    }
}
