extension Span<UInt8> {
    /// The byte at an offset, or 0 past the end: a byte that JSON allows nowhere.
    @inline(__always)
    func byte(at offset: Int) -> UInt8 {
        offset < count ? unsafe self[unchecked: offset] : 0
    }

    /// Two bytes from an offset, the first in the low bits; 0 if they are not there.
    @inline(__always)
    func pair(at offset: Int) -> UInt16 {
        guard offset &+ 2 <= count else { return 0 }
        return UInt16(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt16.self))
    }

    /// Eight bytes from an offset, the first in the low bits; the caller has made sure that they are there.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    /// Sixteen bytes from an offset; the caller has made sure that they are there.
    @inline(__always)
    func block(at offset: Int) -> JSONBlock {
        JSONBlock(low: word(at: offset), high: word(at: offset &+ 8))
    }

    /// The bytes from an offset to the end, of which there are fewer than sixteen, and zeros after them.
    @inline(__always)
    func lastBlock(at offset: Int) -> JSONBlock {
        unsafe extracting(unchecked: offset..<count).withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return JSONBlock(low: 0, high: 0) }
            return unsafe JSONBlock(start, count: bytes.count)
        }
    }

    /// Four bytes from an offset, the first in the low bits; the caller has made sure that they are there.
    @inline(__always)
    func halfWord(at offset: Int) -> UInt32 {
        UInt32(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
    }
}

extension Span<UInt8> {
    /// The text in a range.
    @inline(__always)
    func string(in range: Range<Int>) -> String {
        guard range.count < JSONBlock.byteCount else {
            return unsafe extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        }
        // Room for a short string is in the string itself.
        return unsafe extracting(range).withUnsafeBytes { bytes in
            unsafe String(unsafeUninitializedCapacity: JSONBlock.byteCount - 1) { room in
                unsafe UnsafeMutableRawBufferPointer(room).copyMemory(from: bytes)
                return bytes.count
            }
        }
    }

    /// Returns `true` if the bytes from an offset are those of a range of other bytes; all of them are there.
    func holds(_ other: Span<UInt8>, _ range: Range<Int>, at offset: Int) -> Bool {
        let distance = offset - range.lowerBound
        var index = range.lowerBound
        while index + 8 <= range.upperBound {
            if word(at: index + distance) != other.word(at: index) { return false }
            index += 8
        }
        while index < range.upperBound {
            if self[index + distance] != other[index] { return false }
            index += 1
        }
        return true
    }
}

extension String {
    /// Calls a closure with the string's UTF-8 bytes.
    func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        var copy = self
        return copy.withUTF8 { body(unsafe $0.span) }
    }
}
