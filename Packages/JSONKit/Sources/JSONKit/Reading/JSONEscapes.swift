/// Decodes the escapes of strings that the tape builder has accepted.
enum JSONEscapes {
    /// Appends the UTF-8 bytes that the text between two quotes stands for (RFC 8259, section 7).
    static func decode(_ text: Span<UInt8>, into bytes: inout [UInt8]) {
        var offset = 0
        while offset < text.count {
            let next = firstBackslash(text, from: offset)
            unsafe text.extracting(offset..<next).withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
            guard next < text.count else { return }
            if text.byte(at: next + 1) == UInt8(ascii: "u") {
                offset = decodeCodePoint(text, from: next, into: &bytes)
            } else {
                bytes.append(meaning(of: text.byte(at: next + 1)))
                offset = next + 2
            }
        }
    }

    /// The offset of the next backslash, or of the end.
    private static func firstBackslash(_ text: Span<UInt8>, from start: Int) -> Int {
        var offset = start
        while offset + 8 <= text.count {
            let count = JSONWord.countBeforeBackslash(text.word(at: offset))
            offset += count
            if count < 8 { return offset }
        }
        while offset < text.count, text.byte(at: offset) != UInt8(ascii: "\\") { offset += 1 }
        return offset
    }

    private static func meaning(of letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0c
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    /// Appends the character of a `\uXXXX` escape or of a pair of them; the offset after what it has read.
    private static func decodeCodePoint(_ text: Span<UInt8>, from start: Int, into bytes: inout [UInt8]) -> Int {
        let unit = codeUnit(text, from: start)
        guard 0xd800...0xdfff ~= unit else {
            append(unit, to: &bytes)
            return start + 6
        }
        append(0x10000 + (unit & 0x3ff) << 10 + codeUnit(text, from: start + 6) & 0x3ff, to: &bytes)
        return start + 12
    }

    private static func codeUnit(_ text: Span<UInt8>, from start: Int) -> UInt32 {
        (start + 2..<start + 6).reduce(0) { unit, offset in
            unit << 4 | UInt32(JSONWord.hexadecimalDigit(text.byte(at: offset)) ?? 0)
        }
    }

    private static func append(_ codePoint: UInt32, to bytes: inout [UInt8]) {
        guard let character = Unicode.Scalar(codePoint) else { return }
        bytes.append(contentsOf: UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
    }
}
