/// Looks at bytes eight at a time: finds those that separate the parts of long texts, and compares digests.
public enum ByteScan {
    private static let lowBits: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The places at which a byte stands, counted from the start of the text; no more than asked for.
    public static func places(of byte: UInt8, in text: Span<UInt8>, atMost limit: Int = .max) -> [Int] {
        var places: [Int] = []
        places.reserveCapacity(min(limit, 32))
        let pattern = lowBits &* UInt64(byte)
        var start = 0
        while start + 32 <= text.count {
            // Few stretches hold the byte: four words are asked in one go.
            let marks =
                marks(of: pattern, in: text, at: start) | marks(of: pattern, in: text, at: start + 8)
                | marks(of: pattern, in: text, at: start + 16) | marks(of: pattern, in: text, at: start + 24)
            if marks != 0 {
                for word in stride(from: start, to: start + 32, by: 8) {
                    append(byte, in: text, at: word, Self.marks(of: pattern, in: text, at: word), limit, to: &places)
                }
            }
            start += 32
        }
        for place in start..<text.count where text[place] == byte && places.count < limit { places.append(place) }
        return places
    }

    /// Marks, in their high bits, the bytes of a word that are those of a pattern, and perhaps others above one of them.
    @inline(__always)
    private static func marks(of pattern: UInt64, in text: Span<UInt8>, at start: Int) -> UInt64 {
        // A byte that is zero borrows from its high bit, and so may one above it.
        let difference = word(of: text, at: start) ^ pattern
        return (difference &- lowBits) & ~difference & highBits
    }

    /// Appends the places of the marked bytes of a word, each of which is looked at.
    @inline(__always)
    private static func append(
        _ byte: UInt8,
        in text: Span<UInt8>,
        at start: Int,
        _ marks: UInt64,
        _ limit: Int,
        to places: inout [Int]
    ) {
        var marks = marks
        while marks != 0, places.count < limit {
            let place = start + marks.trailingZeroBitCount / 8
            if text[place] == byte { places.append(place) }
            marks &= marks &- 1
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
