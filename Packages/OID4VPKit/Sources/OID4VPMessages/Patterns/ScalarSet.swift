/// A set of Unicode scalars, by ranges.
struct ScalarSet: Hashable, Sendable {
    private(set) var ranges: [ClosedRange<UInt32>]
    private(set) var isInverted = false

    init(_ ranges: [ClosedRange<UInt32>]) {
        self.ranges = ranges
    }

    init(_ scalar: Unicode.Scalar) {
        ranges = [scalar.value...scalar.value]
    }

    var inverted: ScalarSet {
        var set = self
        set.isInverted.toggle()
        return set
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) } != isInverted
    }

    /// Adds all scalars of another set.
    mutating func formUnion(_ other: ScalarSet) {
        ranges += other.isInverted ? other.complement : other.ranges
    }

    /// The ranges between those of the set.
    private var complement: [ClosedRange<UInt32>] {
        var result: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > next { result.append(next...range.lowerBound - 1) }
            next = max(next, range.upperBound + 1)
        }
        if next <= Self.last { result.append(next...Self.last) }
        return result
    }

    private static let last: UInt32 = 0x10_ffff

    /// `\d`: the digits of ASCII.
    static let digits = ScalarSet([0x30...0x39])
    /// `\w`: letters and digits of ASCII, and the low line.
    static let word = ScalarSet([0x30...0x39, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a])
    /// `\s`: white space and line ends of ECMA-262.
    static let space = ScalarSet([
        0x09...0x0d, 0x20...0x20, 0xa0...0xa0, 0x1680...0x1680, 0x2000...0x200a, 0x2028...0x2029, 0x202f...0x202f,
        0x205f...0x205f, 0x3000...0x3000, 0xfeff...0xfeff,
    ])
    /// `.`: everything but line ends.
    static let notLineEnd = ScalarSet([0x0a...0x0a, 0x0d...0x0d, 0x2028...0x2029]).inverted
}

extension Unicode.Scalar {
    /// The value of a hexadecimal digit of ASCII, or nil.
    var hexadecimalDigit: UInt32? {
        switch self {
        case "0"..."9": value - 0x30
        case "A"..."F": value - 0x37
        case "a"..."f": value - 0x57
        default: nil
        }
    }
}
