/// Decodes the escapes of strings that the tape builder has accepted.
enum JSONEscapes {
    /// Appends the UTF-8 bytes that the text between two quotes stands for (RFC 8259, section 7).
    static func decode(_ text: Span<UInt8>, into bytes: inout [UInt8]) {
        var offset = 0
        while offset < text.count {
            let next = firstBackslash(text, from: offset)
            unsafe text.extracting(offset..<next).withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
            guard next < text.count else { return }
            let (character, end) = character(text, at: next)
            append(character, to: &bytes)
            offset = end
        }
    }

    /// The string that the text between two quotes stands for.
    @inline(never)
    static func string(_ text: Span<UInt8>) -> String {
        // An escape is longer than what it stands for.
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { bytes in
            var count = 0
            var offset = 0
            while offset < text.count {
                let next = firstBackslash(text, from: offset)
                for plain in offset..<next {
                    unsafe bytes.initializeElement(at: count, to: text[plain])
                    count &+= 1
                }
                if next == text.count { break }
                let (character, end) = character(text, at: next)
                for byte in UTF8.encode(character) ?? UTF8.encodedReplacementCharacter {
                    unsafe bytes.initializeElement(at: count, to: byte)
                    count &+= 1
                }
                offset = end
            }
            return unsafe String(decoding: UnsafeBufferPointer(rebasing: bytes[..<count]), as: UTF8.self)
        }
    }

    /// The character of the escape whose backslash is at an offset, and the offset after it.
    @inline(__always)
    static func character(_ text: Span<UInt8>, at start: Int) -> (Unicode.Scalar, end: Int) {
        let letter = text.byte(at: start &+ 1)
        guard letter == UInt8(ascii: "u") else { return (Unicode.Scalar(meaning(of: letter)), start &+ 2) }
        let unit = codeUnit(text, from: start)
        if let character = Unicode.Scalar(unit) { return (character, start &+ 6) }
        // The first half of a surrogate pair, whose second half follows.
        let second = codeUnit(text, from: start &+ 6)
        let character = 0x10000 &+ (UInt32(unit) & 0x3ff) &<< 10 &+ (UInt32(second) & 0x3ff)
        return (Unicode.Scalar(character) ?? "\u{fffd}", start &+ 12)
    }

    /// The offset of the next backslash, or of the end.
    static func firstBackslash(_ text: Span<UInt8>, from start: Int) -> Int {
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

    @inline(__always)
    private static func codeUnit(_ text: Span<UInt8>, from start: Int) -> UInt16 {
        start &+ 6 <= text.count ? JSONWord.codeUnit(text.halfWord(at: start &+ 2)) ?? 0 : 0
    }

    private static func append(_ character: Unicode.Scalar, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
    }
}
