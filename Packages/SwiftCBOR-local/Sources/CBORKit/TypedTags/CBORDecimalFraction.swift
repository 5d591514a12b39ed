/// A number mantissa · 10^exponent (tag 4, RFC 8949 section 3.4.4).
public struct CBORDecimalFraction: Hashable, Sendable {
    /// The power of ten, from −2^64 to 2^64 − 1.
    public let exponent: Int128
    /// The number that it scales.
    public let mantissa: CBORBigInteger

    /// The number mantissa · 10^exponent; nil if the exponent is not from −2^64 to 2^64 − 1.
    public init?(exponent: Int128, mantissa: CBORBigInteger) {
        guard CBORScaledNumber.exponents.contains(exponent) else { return nil }
        self.exponent = exponent
        self.mantissa = mantissa
    }

    /// The tagged item.
    public var cbor: CBOR { .tagged(CBORTag.decimalFraction, [.integer(exponent), mantissa.cbor]) }
}

/// A number mantissa · 2^exponent (tag 5, RFC 8949 section 3.4.4).
public struct CBORBigfloat: Hashable, Sendable {
    /// The power of two, from −2^64 to 2^64 − 1.
    public let exponent: Int128
    /// The number that it scales.
    public let mantissa: CBORBigInteger

    /// The number mantissa · 2^exponent; nil if the exponent is not from −2^64 to 2^64 − 1.
    public init?(exponent: Int128, mantissa: CBORBigInteger) {
        guard CBORScaledNumber.exponents.contains(exponent) else { return nil }
        self.exponent = exponent
        self.mantissa = mantissa
    }

    /// The tagged item.
    public var cbor: CBOR { .tagged(CBORTag.bigfloat, [.integer(exponent), mantissa.cbor]) }
}

/// The common part of decimal fractions and bigfloats.
enum CBORScaledNumber {
    /// The exponents that major types 0 and 1 hold; bignums are not allowed there.
    static let exponents: ClosedRange<Int128> = -(1 << 64)...(1 << 64) - 1
}
