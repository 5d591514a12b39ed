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
        let bytes = Array(bytes)
        return encode(bytes.span)
    }

    private func encode(_ bytes: Span<UInt8>) -> String {
        let alphabet = isURLSafe ? Self.urlCharacters : Self.characters
        let rest = bytes.count % 3
        var text = [UInt8](repeating: UInt8(ascii: "="), count: (bytes.count + 2) / 3 * 4)
        Self.encode(bytes.extracting(..<(bytes.count - rest)), alphabet.span, into: &text)
        if rest > 0 {
            let end = text.count - 4
            let first = bytes[bytes.count - rest]
            let second = rest == 2 ? bytes[bytes.count - 1] : 0
            text[end] = alphabet[Int(first >> 2)]
            text[end + 1] = alphabet[Int((first & 3) << 4 | second >> 4)]
            if rest == 2 { text[end + 2] = alphabet[Int((second & 15) << 2)] }
            if isURLSafe { text.removeLast(3 - rest) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Encodes groups of three bytes to four characters each, for which there is room.
    private static func encode(_ bytes: Span<UInt8>, _ alphabet: Span<UInt8>, into text: inout [UInt8]) {
        precondition(alphabet.count == 64 && text.count >= bytes.count / 3 * 4)
        var output = text.mutableSpan
        var end = 0
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let a = unsafe bytes[unchecked: start]
            let b = unsafe bytes[unchecked: start &+ 1]
            let c = unsafe bytes[unchecked: start &+ 2]
            unsafe output[unchecked: end] = alphabet[unchecked: Int(a >> 2)]
            unsafe output[unchecked: end &+ 1] = alphabet[unchecked: Int((a & 3) << 4 | b >> 4)]
            unsafe output[unchecked: end &+ 2] = alphabet[unchecked: Int((b & 15) << 2 | c >> 6)]
            unsafe output[unchecked: end &+ 3] = alphabet[unchecked: Int(c & 63)]
            end &+= 4
        }
    }

    /// The bytes of a text.
    ///
    /// - Throws: ``JSONError/Code/invalidBase64``.
    public func decode(_ text: some Collection<UInt8>) throws(JSONError) -> [UInt8] {
        let characters = Array(text)
        return try decode(characters.span)
    }

    /// The bytes of a text.
    ///
    /// - Throws: ``JSONError/Code/invalidBase64``.
    public func decode(_ text: some StringProtocol) throws(JSONError) -> [UInt8] {
        let text = String(text)
        return try decode(text.utf8.span)
    }

    private func decode(_ characters: Span<UInt8>) throws(JSONError) -> [UInt8] {
        let count = try countWithoutPadding(characters)
        let rest = count % 4
        guard rest != 1 else { throw Self.error("its length is impossible") }
        let table = isURLSafe ? Self.urlValues : Self.values
        var bytes = [UInt8](repeating: 0, count: count / 4 * 3)
        var all = Self.decode(characters.extracting(..<(count - rest)), table.span, into: &bytes)
        var bits: UInt32 = 0
        for index in (count - rest)..<count {
            let value = table[Int(characters[index])]
            all |= value
            bits = bits << 6 | UInt32(value & 0x3f)
        }
        guard all & Self.invalid == 0 else { throw Self.error("a character is not in its alphabet") }
        guard rest > 0 else { return bytes }
        let unused = UInt32(rest == 2 ? 4 : 2)
        guard bits & (1 << unused - 1) == 0 else { throw Self.error("its unused bits are not zero") }
        bits >>= unused
        if rest == 3 { bytes.append(UInt8(truncatingIfNeeded: bits >> 8)) }
        bytes.append(UInt8(truncatingIfNeeded: bits))
        return bytes
    }

    /// Decodes groups of four characters to three bytes each, for which there is room.
    ///
    /// - Returns: All values in one, in which the highest bit of a character of no alphabet stays.
    private static func decode(_ characters: Span<UInt8>, _ values: Span<UInt8>, into bytes: inout [UInt8]) -> UInt8 {
        precondition(values.count == 256 && bytes.count == characters.count / 4 * 3)
        var output = bytes.mutableSpan
        var all: UInt8 = 0
        var end = 0
        for start in stride(from: 0, to: characters.count, by: 4) {
            let group = characters.halfWord(at: start)
            let a = unsafe values[unchecked: Int(group & 0xff)]
            let b = unsafe values[unchecked: Int(group >> 8 & 0xff)]
            let c = unsafe values[unchecked: Int(group >> 16 & 0xff)]
            let d = unsafe values[unchecked: Int(group >> 24)]
            all |= a | b | c | d
            unsafe output[unchecked: end] = a << 2 | b >> 4
            unsafe output[unchecked: end &+ 1] = b << 4 | c >> 2
            unsafe output[unchecked: end &+ 2] = c << 6 | d
            end &+= 3
        }
        return all
    }

    private func countWithoutPadding(_ characters: Span<UInt8>) throws(JSONError) -> Int {
        let count = characters.count
        guard !isURLSafe else { return count }
        guard count % 4 == 0 else { throw Self.error("its length is no multiple of four") }
        let padding = (max(count - 2, 0)..<count).count { characters[$0] == UInt8(ascii: "=") }
        return count - padding
    }

    /// The value of every byte that is not a character of the alphabet.
    private static let invalid: UInt8 = 0x80
    private static let values = table(alphabet)
    private static let urlValues = table(urlAlphabet)

    /// The values of the 256 bytes.
    private static func table(_ alphabet: String) -> [UInt8] {
        var values = [UInt8](repeating: invalid, count: 256)
        for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let alphabet = letters + "+/"
    private static let urlAlphabet = letters + "-_"
    private static let characters = Array(alphabet.utf8)
    private static let urlCharacters = Array(urlAlphabet.utf8)

    private static func error(_ reason: String) -> JSONError {
        JSONError(.invalidBase64, "a text is not base64: \(reason)")
    }
}
