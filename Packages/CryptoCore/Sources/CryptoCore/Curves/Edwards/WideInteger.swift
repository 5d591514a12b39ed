/// A non-negative number of up to 512 bits, for checks of public values: nothing here takes constant time.
struct WideInteger: Equatable {
    // Four fields and not an array: these numbers are made by the hundred for one check, and must not be allocated.
    private var first: UInt128 = 0
    private var second: UInt128 = 0
    private var third: UInt128 = 0
    private var fourth: UInt128 = 0

    static let zero = WideInteger()

    init() {}

    init(_ value: UInt64) {
        first = UInt128(value)
    }

    /// Reads little-endian bytes, 64 at most; further ones are ignored.
    init(littleEndian bytes: some Sequence<UInt8>) {
        for (index, byte) in bytes.prefix(64).enumerated() {
            self[index / 8] |= UInt64(byte) << UInt64(8 * (index % 8))
        }
    }

    /// The lowest three bits.
    var modulo8: UInt64 { UInt64(truncatingIfNeeded: first) & 7 }

    /// One of the eight words of 64 bits, least significant first.
    subscript(word: Int) -> UInt64 {
        get {
            let pair =
                switch word / 2 {
                case 0: first
                case 1: second
                case 2: third
                default: fourth
                }
            return UInt64(truncatingIfNeeded: pair >> UInt128(64 * (word % 2)))
        }
        set {
            let change = UInt128(self[word] ^ newValue) << UInt128(64 * (word % 2))
            switch word / 2 {
            case 0: first ^= change
            case 1: second ^= change
            case 2: third ^= change
            default: fourth ^= change
            }
        }
    }

    static func < (left: WideInteger, right: WideInteger) -> Bool {
        if left.fourth != right.fourth { return left.fourth < right.fourth }
        if left.third != right.third { return left.third < right.third }
        if left.second != right.second { return left.second < right.second }
        return left.first < right.first
    }

    /// Takes another number away; the difference wraps at 512 bits.
    static func - (left: WideInteger, right: WideInteger) -> WideInteger {
        var result = WideInteger()
        var borrow = false
        (result.first, borrow) = subtract(left.first, right.first, borrow)
        (result.second, borrow) = subtract(left.second, right.second, borrow)
        (result.third, borrow) = subtract(left.third, right.third, borrow)
        (result.fourth, _) = subtract(left.fourth, right.fourth, borrow)
        return result
    }

    private static func subtract(_ left: UInt128, _ right: UInt128, _ borrow: Bool) -> (UInt128, Bool) {
        let (difference, isLess) = left.subtractingReportingOverflow(right)
        let (result, isStillLess) = difference.subtractingReportingOverflow(borrow ? 1 : 0)
        return (result, isLess || isStillLess)
    }

    /// Adds another number; the sum wraps at 512 bits.
    static func + (left: WideInteger, right: WideInteger) -> WideInteger {
        var result = WideInteger()
        var carry = false
        (result.first, carry) = add(left.first, right.first, carry)
        (result.second, carry) = add(left.second, right.second, carry)
        (result.third, carry) = add(left.third, right.third, carry)
        (result.fourth, _) = add(left.fourth, right.fourth, carry)
        return result
    }

    private static func add(_ left: UInt128, _ right: UInt128, _ carry: Bool) -> (UInt128, Bool) {
        let (sum, isMore) = left.addingReportingOverflow(right)
        let (result, isStillMore) = sum.addingReportingOverflow(carry ? 1 : 0)
        return (result, isMore || isStillMore)
    }

    /// Divides a number that is not zero by two until it is odd, and tells how often; zero stays, zero times.
    mutating func removeFactorsOfTwo() -> Int {
        guard self != .zero else { return 0 }
        var count = 0
        while first == 0 {
            (first, second, third, fourth) = (second, third, fourth, 0)
            count += 128
        }
        let shift = UInt128(first.trailingZeroBitCount)
        guard shift > 0 else { return count }
        first = first &>> shift | second &<< (128 - shift)
        second = second &>> shift | third &<< (128 - shift)
        third = third &>> shift | fourth &<< (128 - shift)
        fourth = fourth &>> shift
        return count + Int(shift)
    }
}
