extension JSONTapeBuilder {
    /// Skips a line break and the spaces after it, which nearly all white space consists of where it is not a single
    /// space.
    ///
    /// Most lines are indented as the one before: the processor goes on while that is verified, but not while the end of
    /// the spaces is looked for.
    @inline(__always)
    mutating func skipIndentation(_ text: Span<UInt8>) {
        guard text.byte(at: position) == UInt8(ascii: "\n") else { return }
        let first = position &+ 1
        if Self.hasSpaces(text, from: first, count: indentation) {
            position = first &+ indentation
            return
        }
        position = first
        while position &+ 8 <= text.count {
            let count = JSONWord.countOfSpaces(text.word(at: position))
            position &+= count
            if count < 8 { break }
        }
        indentation = position &- first
    }

    /// Returns `true` if a number of spaces starts at an offset, and nothing that may be white space comes after them.
    @inline(__always)
    private static func hasSpaces(_ text: Span<UInt8>, from start: Int, count: Int) -> Bool {
        let end = start &+ count
        guard end &+ 8 <= text.count, text.byte(at: end) > UInt8(ascii: " ") else { return false }
        var offset = start
        while offset &+ 8 <= end {
            if text.word(at: offset) != JSONWord.spaces { return false }
            offset &+= 8
        }
        return JSONWord.countOfSpaces(text.word(at: offset)) == end &- offset
    }

    /// The first byte that is no white space, where the builder stands then.
    @inline(__always)
    mutating func nextByte(_ text: Span<UInt8>) -> UInt8 {
        let byte = text.byte(at: position)
        if byte > UInt8(ascii: " ") { return byte }
        position = Self.endOfWhiteSpace(text, from: position)
        return text.byte(at: position)
    }

    /// The offset of the first byte that is no white space.
    @inline(never)
    private static func endOfWhiteSpace(_ text: Span<UInt8>, from start: Int) -> Int {
        var offset = start
        while true {
            switch text.byte(at: offset) {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): offset &+= 1
            default: return offset
            }
            // Lines are indented by many spaces.
            while offset &+ 8 <= text.count {
                let count = JSONWord.countOfSpaces(text.word(at: offset))
                offset &+= count
                if count < 8 { break }
            }
            if text.byte(at: offset) > UInt8(ascii: " ") { return offset }
        }
    }
}
