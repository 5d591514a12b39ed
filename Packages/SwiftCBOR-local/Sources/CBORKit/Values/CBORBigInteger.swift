/// An integer of any size as CBOR has it beyond 64 bits: a sign and the bytes of a magnitude (RFC 8949 section 3.4.3).
public struct CBORBigInteger: Hashable, Sendable {
    /// Indicates that the number is below 0.
    public let isNegative: Bool
    /// The number if it is not negative, −1 minus the number if it is: big-endian, without leading zeros.
    public let argument: [UInt8]

    /// The number n, or −1 − n if negative, where n has the given big-endian bytes; leading zeros are dropped.
    public init(isNegative: Bool, argument: some Collection<UInt8>) {
        self.isNegative = isNegative
        self.argument = Array(argument.drop { $0 == 0 })
    }

    /// The number of any integer type.
    public init(_ value: some BinaryInteger) {
        // For a negative number −1 − n has the same bits as n, all inverted.
        let flip: UInt8 = value < 0 ? 0xff : 0
        var bytes: [UInt8] = []
        var rest = value
        for _ in 0..<(value.bitWidth + 7) / 8 {
            bytes.append(UInt8(truncatingIfNeeded: rest) ^ flip)
            rest >>= 8
        }
        self.init(isNegative: value < 0, argument: bytes.reversed())
    }

    /// The item: of major type 0 or 1 if it fits, otherwise tag 2 or 3.
    public var cbor: CBOR {
        guard argument.count > 8 else {
            let number = argument.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            return isNegative ? .negative(number) : .unsigned(number)
        }
        return .tagged(isNegative ? 3 : 2, .bytes(argument))
    }

    /// The number in a fixed-width type, or nil if that cannot hold it.
    public func integer<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
        if isNegative, !Integer.isSigned { return nil }
        // For a negative number the bits are those of n, all inverted.
        let bitCount = argument.first.map { argument.count * 8 - $0.leadingZeroBitCount } ?? 0
        guard bitCount <= Integer.bitWidth - (Integer.isSigned ? 1 : 0) else { return nil }
        let magnitude = argument.reduce(0 as Integer) { $0 << 8 | Integer(truncatingIfNeeded: $1) }
        return isNegative ? ~magnitude : magnitude
    }
}
