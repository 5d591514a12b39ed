/// A non-negative number of up to 512 bits, for checks of public values: nothing here takes constant time.
struct WideInteger: Equatable {
    /// The words, least significant first.
    private(set) var words: SIMD8<UInt64> = .zero

    static let zero = WideInteger()

    init() {}

    init(_ value: UInt64) {
        words[0] = value
    }

    /// Reads little-endian bytes, 64 at most; further ones are ignored.
    init(littleEndian bytes: some Sequence<UInt8>) {
        for (index, byte) in bytes.prefix(64).enumerated() {
            words[index / 8] |= UInt64(byte) << UInt64(8 * (index % 8))
        }
    }

    var isEven: Bool { words[0] & 1 == 0 }

    /// The lowest three bits.
    var modulo8: UInt64 { words[0] & 7 }

    subscript(word: Int) -> UInt64 {
        get { words[word] }
        set { words[word] = newValue }
    }

    static func < (left: WideInteger, right: WideInteger) -> Bool {
        for index in (0..<8).reversed() where left.words[index] != right.words[index] {
            return left.words[index] < right.words[index]
        }
        return false
    }

    /// Takes another number away; the difference wraps at 512 bits.
    static func - (left: WideInteger, right: WideInteger) -> WideInteger {
        var result = WideInteger()
        var borrow: UInt64 = 0
        for index in 0..<8 {
            let (first, isLess) = left.words[index].subtractingReportingOverflow(right.words[index])
            let (second, isStillLess) = first.subtractingReportingOverflow(borrow)
            result.words[index] = second
            borrow = (isLess ? 1 : 0) | (isStillLess ? 1 : 0)
        }
        return result
    }

    /// Adds another number; the sum wraps at 512 bits.
    static func + (left: WideInteger, right: WideInteger) -> WideInteger {
        var result = WideInteger()
        var carry: UInt64 = 0
        for index in 0..<8 {
            let sum = UInt128(left.words[index]) &+ UInt128(right.words[index]) &+ UInt128(carry)
            result.words[index] = UInt64(truncatingIfNeeded: sum)
            carry = UInt64(truncatingIfNeeded: sum >> 64)
        }
        return result
    }

    /// Divides an even number by two until it is odd, and tells how often; zero stays, zero times.
    mutating func removeFactorsOfTwo() -> Int {
        guard self != .zero else { return 0 }
        var count = 0
        while words[0] == 0 {
            for index in 0..<7 { words[index] = words[index + 1] }
            words[7] = 0
            count += 64
        }
        let shift = UInt64(words[0].trailingZeroBitCount)
        guard shift > 0 else { return count }
        for index in 0..<7 { words[index] = words[index] >> shift | words[index + 1] << (64 - shift) }
        words[7] >>= shift
        return count + Int(shift)
    }
}
