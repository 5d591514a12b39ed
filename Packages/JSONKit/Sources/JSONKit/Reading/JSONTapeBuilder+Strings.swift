extension JSONTapeBuilder {
    /// The offset after the closing quote of the string whose opening quote is at `start`, and whether any of it is
    /// escaped.
    @inline(never)
    static func endOfLongString(
        _ text: Span<UInt8>,
        from start: Int,
        _ limit: Int
    ) throws(JSONFailure) -> (end: Int, hasEscapes: Bool) {
        let offset = firstSpecialByte(text, from: start &+ 1)
        if text.byte(at: offset) == UInt8(ascii: "\""), offset &- start <= limit { return (offset &+ 1, false) }
        return try endOfUnusualString(text, from: start, at: offset, limit)
    }

    /// The end of a string that has more than ASCII, or a fault; its first special byte is at `special`.
    @inline(never)
    static func endOfUnusualString(
        _ text: Span<UInt8>,
        from start: Int,
        at special: Int,
        _ limit: Int
    ) throws(JSONFailure) -> (end: Int, hasEscapes: Bool) {
        var offset = special
        var hasEscapes = false
        while true {
            switch text.byte(at: offset) {
            case UInt8(ascii: "\""):
                guard offset - start - 1 <= limit else { throw JSONFailure(code: .stringLimit, offset: start) }
                return (offset + 1, hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                offset = try endOfEscape(text, from: offset)
            case 0x80...: offset = try endOfSequences(text, from: offset)
            default: throw stringFailure(.controlCharacter, offset, noticedAt: offset, text)
            }
            offset = firstSpecialByte(text, from: offset)
        }
    }

    /// The offset of the next byte that does not simply stand for itself: quote, backslash, control, not ASCII, or
    /// the end of the text.
    @inline(__always)
    private static func firstSpecialByte(_ text: Span<UInt8>, from start: Int) -> Int {
        var offset = start
        while offset &+ JSONBlock.byteCount <= text.count {
            let marks = text.block(at: offset).specialMarks
            if marks != 0 { return offset &+ marks.trailingZeroBitCount }
            offset &+= JSONBlock.byteCount
        }
        return firstSpecialByteInLastBlock(text, from: offset)
    }

    /// The offset of the next special byte among the last ones, of which there are fewer than sixteen.
    @inline(never)
    private static func firstSpecialByteInLastBlock(_ text: Span<UInt8>, from start: Int) -> Int {
        // The zeros after the end are special, too.
        start &+ text.lastBlock(at: start).specialMarks.trailingZeroBitCount
    }

    /// The offset after an escape (RFC 8259, section 7) whose backslash is at `start`.
    @inline(__always)
    private static func endOfEscape(_ text: Span<UInt8>, from start: Int) throws(JSONFailure) -> Int {
        switch text.byte(at: start &+ 1) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start &+ 2
        case UInt8(ascii: "u"):
            let unit = try codeUnit(text, from: start)
            return unit & 0xf800 == 0xd800 ? try endOfPair(text, from: start, unit) : start &+ 6
        default: throw stringFailure(.invalidEscape, start, noticedAt: start &+ 1, text)
        }
    }

    /// The offset after the second half of a surrogate pair whose first half is the escape at `start`, of the code unit
    /// `first`.
    @inline(never)
    private static func endOfPair(_ text: Span<UInt8>, from start: Int, _ first: UInt16) throws(JSONFailure) -> Int {
        guard first < 0xdc00 else { throw JSONFailure(code: .loneSurrogate, offset: start) }
        let second = start + 6
        guard text.byte(at: second) == UInt8(ascii: "\\") else {
            throw stringFailure(.loneSurrogate, start, noticedAt: second, text)
        }
        guard text.byte(at: second + 1) == UInt8(ascii: "u") else {
            throw stringFailure(.loneSurrogate, start, noticedAt: second + 1, text)
        }
        guard case 0xdc00...0xdfff = try codeUnit(text, from: second) else {
            throw JSONFailure(code: .loneSurrogate, offset: start)
        }
        return second + 6
    }

    /// The UTF-16 code unit that a `\uXXXX` escape names.
    @inline(__always)
    private static func codeUnit(_ text: Span<UInt8>, from start: Int) throws(JSONFailure) -> UInt16 {
        guard start &+ 6 <= text.count, let unit = JSONWord.codeUnit(text.halfWord(at: start &+ 2)) else {
            throw invalidCodeUnit(text, from: start)
        }
        return unit
    }

    /// The failure of a `\uXXXX` escape without four digits.
    @inline(never)
    private static func invalidCodeUnit(_ text: Span<UInt8>, from start: Int) -> JSONFailure {
        let offset = (start + 2..<start + 6).first { JSONWord.hexadecimalDigit(text.byte(at: $0)) == nil }
        return stringFailure(.invalidEscape, start, noticedAt: offset ?? start, text)
    }

    /// A failure of what starts at `start`; if it was noticed at the end of the text, that the text is cut short.
    private static func stringFailure(
        _ code: JSONError.Code,
        _ start: Int,
        noticedAt offset: Int,
        _ text: Span<UInt8>
    ) -> JSONFailure {
        offset < text.count ? JSONFailure(code: code, offset: start) : JSONFailure(code: .truncated, offset: offset)
    }

    /// The offset after UTF-8 sequences of two to four bytes.
    @inline(__always)
    private static func endOfSequences(_ text: Span<UInt8>, from start: Int) throws(JSONFailure) -> Int {
        var offset = start
        repeat {
            let length = offset &+ 4 <= text.count ? JSONWord.sequenceLength(text.halfWord(at: offset)) : 0
            offset = length > 0 ? offset &+ length : try endOfSequence(text, from: offset)
            if text.byte(at: offset) < 0x80 { return offset }
            offset = endOfAlikeSequences(text, from: offset)
        } while text.byte(at: offset) >= 0x80
        return offset
    }

    /// The offset after UTF-8 sequences of the same length, as far as they come in fours.
    ///
    /// Words of one script mostly consist of such: two bytes a letter in Greek, Cyrillic, Hebrew and Arabic, three in
    /// those of India and East Asia.
    @inline(__always)
    private static func endOfAlikeSequences(_ text: Span<UInt8>, from start: Int) -> Int {
        var offset = start
        while offset &+ 16 <= text.count, JSONWord.isTwoTriples(text.word(at: offset)),
            JSONWord.isTwoTriples(text.word(at: offset &+ 6))
        {
            offset &+= 12
        }
        while offset &+ 8 <= text.count, JSONWord.isFourPairs(text.word(at: offset)) { offset &+= 8 }
        return offset
    }

    /// The offset after a UTF-8 sequence of two to four bytes (RFC 3629, section 4).
    private static func endOfSequence(_ text: Span<UInt8>, from start: Int) throws(JSONFailure) -> Int {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xbf
        switch text[start] {
        case 0xc2...0xdf: length = 2
        case 0xe0: (length, second) = (3, 0xa0...0xbf)
        case 0xed: (length, second) = (3, 0x80...0x9f)
        case 0xe1...0xef: length = 3
        case 0xf0: (length, second) = (4, 0x90...0xbf)
        case 0xf1...0xf3: length = 4
        case 0xf4: (length, second) = (4, 0x80...0x8f)
        default: throw JSONFailure(code: .invalidUTF8, offset: start)
        }
        for offset in start + 1..<start + length {
            let allowed = offset == start + 1 ? second : 0x80...0xbf
            guard allowed.contains(text.byte(at: offset)) else {
                throw stringFailure(.invalidUTF8, start, noticedAt: offset, text)
            }
        }
        return start + length
    }
}
