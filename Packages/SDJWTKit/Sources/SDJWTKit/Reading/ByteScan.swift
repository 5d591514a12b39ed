/// Finds bytes in long texts, eight at a time.
enum ByteScan {
    private static let lowBits: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The places at which a byte stands.
    static func places(of byte: UInt8, in text: [UInt8]) -> [Int] {
        var places: [Int] = []
        let pattern = lowBits &* UInt64(byte)
        unsafe text.withUnsafeBytes { text in
            var start = 0
            while start + 8 <= text.count {
                let difference = unsafe text.loadUnaligned(fromByteOffset: start, as: UInt64.self) ^ pattern
                // A byte that is zero borrows from its high bit.
                if (difference &- lowBits) & ~difference & highBits != 0 {
                    for place in start..<start + 8 where unsafe text[place] == byte { places.append(place) }
                }
                start += 8
            }
            for place in start..<text.count where unsafe text[place] == byte { places.append(place) }
        }
        return places
    }
}
