/// Comparison of bytes in memory, word by word: most keys are short, and a call would cost more.
enum ByteComparison {
    /// Returns `true` if two stretches of memory hold the same bytes.
    @inline(__always)
    static func areEqual(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer, count: Int) -> Bool {
        guard count >= 8 else { return unsafe areShortEqual(first, second, count: count) }
        var position = 0
        while position &+ 8 <= count {
            guard unsafe word(first, position, UInt64.self) == word(second, position, UInt64.self) else { return false }
            position &+= 8
        }
        return unsafe word(first, count &- 8, UInt64.self) == word(second, count &- 8, UInt64.self)
    }

    @inline(__always)
    private static func areShortEqual(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer, count: Int) -> Bool {
        if count >= 4 {
            return unsafe word(first, 0, UInt32.self) == word(second, 0, UInt32.self)
                && word(first, count &- 4, UInt32.self) == word(second, count &- 4, UInt32.self)
        }
        if count >= 2 {
            return unsafe word(first, 0, UInt16.self) == word(second, 0, UInt16.self)
                && word(first, count &- 2, UInt16.self) == word(second, count &- 2, UInt16.self)
        }
        return unsafe count == 0 || word(first, 0, UInt8.self) == word(second, 0, UInt8.self)
    }

    @inline(__always)
    private static func word<Word: BitwiseCopyable>(
        _ base: UnsafeRawPointer,
        _ position: Int,
        _ type: Word.Type
    ) -> Word {
        unsafe base.loadUnaligned(fromByteOffset: position, as: type)
    }
}
