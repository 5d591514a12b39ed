/// Validation of UTF-8 (RFC 3629, Unicode table 3-7), with a fast path for ASCII.
enum UTF8Check {
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Returns `true` if all bytes are below 128.
    @inline(__always)
    static func isASCII(_ start: UnsafeRawPointer, count: Int) -> Bool {
        if count >= 8 { return unsafe isLongASCII(start, count: count) }
        if count >= 4 {
            let first = unsafe start.loadUnaligned(as: UInt32.self)
            let last = unsafe start.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            return (first | last) & 0x8080_8080 == 0
        }
        if count >= 2 {
            let first = unsafe start.loadUnaligned(as: UInt16.self)
            let last = unsafe start.loadUnaligned(fromByteOffset: count - 2, as: UInt16.self)
            return (first | last) & 0x8080 == 0
        }
        return unsafe count == 0 || start.load(as: UInt8.self) < 0x80
    }

    @inline(__always)
    private static func isLongASCII(_ start: UnsafeRawPointer, count: Int) -> Bool {
        var seen = unsafe start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        var position = 0
        while position + 32 <= count {
            let block = unsafe start.loadUnaligned(fromByteOffset: position, as: SIMD4<UInt64>.self)
            seen |= block[0] | block[1] | block[2] | block[3]
            position += 32
        }
        while position + 8 <= count {
            seen |= unsafe start.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            position += 8
        }
        return seen & highBits == 0
    }

    /// The position of the first byte that does not belong to valid UTF-8, or nil if all do.
    static func firstInvalidPosition(in bytes: UnsafeRawBufferPointer) -> Int? {
        var position = 0
        while position < bytes.count {
            let lead = unsafe bytes[position]
            if lead < 0x80 {
                position += unsafe asciiCount(in: bytes, from: position)
                continue
            }
            guard let length = unsafe sequenceLength(in: bytes, at: position, lead: lead) else { return position }
            position += length
        }
        return nil
    }

    /// The number of bytes below 128 that follow, at least one.
    private static func asciiCount(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var position = start
        while position + 8 <= bytes.count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            guard word & highBits == 0 else {
                return position + (UInt64(littleEndian: word) & highBits).trailingZeroBitCount / 8 - start
            }
            position += 8
        }
        while position < bytes.count, unsafe bytes[position] < 0x80 { position += 1 }
        return position - start
    }

    /// The length of a valid sequence of two to four bytes, or nil.
    private static func sequenceLength(in bytes: UnsafeRawBufferPointer, at start: Int, lead: UInt8) -> Int? {
        let (length, second): (Int, ClosedRange<UInt8>)
        switch lead {
        case 0xc2...0xdf: (length, second) = (2, 0x80...0xbf)
        case 0xe0: (length, second) = (3, 0xa0...0xbf)
        case 0xed: (length, second) = (3, 0x80...0x9f)
        case 0xe1...0xef: (length, second) = (3, 0x80...0xbf)
        case 0xf0: (length, second) = (4, 0x90...0xbf)
        case 0xf1...0xf3: (length, second) = (4, 0x80...0xbf)
        case 0xf4: (length, second) = (4, 0x80...0x8f)
        default: return nil
        }
        guard start + length <= bytes.count, unsafe second.contains(bytes[start + 1]) else { return nil }
        for position in start + 2..<start + length {
            guard unsafe bytes[position] & 0xc0 == 0x80 else { return nil }
        }
        return length
    }
}
