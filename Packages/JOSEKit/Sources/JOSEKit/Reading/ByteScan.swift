/// Finds the bytes that separate the parts of long texts, eight at a time.
public enum ByteScan {
    private static let lowBits: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The places at which a byte stands, counted from the start of the text; no more than asked for.
    public static func places(of byte: UInt8, in text: Span<UInt8>, atMost limit: Int = .max) -> [Int] {
        var places: [Int] = []
        let pattern = lowBits &* UInt64(byte)
        unsafe text.withUnsafeBytes { text in
            var start = 0
            while start + 8 <= text.count {
                let word = unsafe UInt64(littleEndian: text.loadUnaligned(fromByteOffset: start, as: UInt64.self))
                let difference = word ^ pattern
                // A byte that is zero borrows from its high bit, and so may one above it: each is looked at.
                var marks = (difference &- lowBits) & ~difference & highBits
                while marks != 0 {
                    let place = start + marks.trailingZeroBitCount / 8
                    marks &= marks &- 1
                    guard unsafe text[place] == byte else { continue }
                    guard places.count < limit else { return }
                    places.append(place)
                }
                start += 8
            }
            for place in start..<text.count where unsafe text[place] == byte && places.count < limit {
                places.append(place)
            }
        }
        return places
    }
}
