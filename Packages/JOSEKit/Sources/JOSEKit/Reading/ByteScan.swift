/// Looks at many bytes at a time: finds those that separate the parts of long texts, and compares digests.
public enum ByteScan {
    /// The places at which a byte stands, counted from the start of the text; no more than asked for.
    public static func places(of byte: UInt8, in text: Span<UInt8>, atMost limit: Int = .max) -> [Int] {
        var places: [Int] = []
        places.reserveCapacity(min(limit, 32))
        let pattern = Stretch(repeating: byte)
        // Memory is read by stretches: every one of them lies within the text.
        unsafe text.withUnsafeBytes { text in
            var start = 0
            while start + 64 <= text.count {
                // Few of them hold the byte: four are asked in one go.
                let marks =
                    unsafe marks(of: pattern, in: text, at: start) | marks(of: pattern, in: text, at: start + 16)
                    | marks(of: pattern, in: text, at: start + 32) | marks(of: pattern, in: text, at: start + 48)
                if marks[0] | marks[1] != 0 {
                    unsafe append(byte, in: text, from: start, to: start + 64, atMost: limit, to: &places)
                }
                start += 64
            }
            unsafe append(byte, in: text, from: start, to: text.count, atMost: limit, to: &places)
        }
        return places
    }

    private typealias Stretch = SIMD16<UInt8>

    /// Sets the bits of the bytes that are those of a pattern.
    @inline(__always)
    private static func marks(of pattern: Stretch, in text: UnsafeRawBufferPointer, at start: Int) -> SIMD2<UInt64> {
        let stretch = unsafe text.loadUnaligned(fromByteOffset: start, as: Stretch.self)
        // A mask of sixteen lanes is sixteen bytes, all bits of which are set or none.
        return unsafe unsafeBitCast(stretch .== pattern, to: SIMD2<UInt64>.self)
    }

    private static func append(
        _ byte: UInt8,
        in text: UnsafeRawBufferPointer,
        from start: Int,
        to end: Int,
        atMost limit: Int,
        to places: inout [Int]
    ) {
        for place in start..<end where unsafe text[place] == byte {
            guard places.count < limit else { return }
            places.append(place)
        }
    }

    /// The first eight bytes as a number; 0 where there are fewer.
    public static func head(of bytes: Span<UInt8>) -> UInt64 {
        bytes.count >= 8 ? word(of: bytes, at: 0) : 0
    }

    /// Whether both have the same bytes; takes as long as it takes to find out, for bytes that are public.
    public static func areEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        var start = 0
        while start + 8 <= one.count {
            guard word(of: one, at: start) == word(of: other, at: start) else { return false }
            start += 8
        }
        return (start..<one.count).allSatisfy { one[$0] == other[$0] }
    }

    /// Eight bytes, which the caller has made sure are there.
    @inline(__always)
    private static func word(of bytes: Span<UInt8>, at start: Int) -> UInt64 {
        UInt64(littleEndian: unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
    }
}
