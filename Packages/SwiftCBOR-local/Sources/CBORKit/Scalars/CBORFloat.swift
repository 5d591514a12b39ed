/// A floating-point number with the precision it is written in (RFC 8949 section 3.3).
///
/// The value is kept in double precision, which holds the others exactly, NaN payloads included. A precision that would
/// change the value cannot be made.
public struct CBORFloat: Sendable {
    /// The formats of IEEE 754 that CBOR has.
    public enum Precision: UInt8, Hashable, Sendable, Comparable {
        /// binary16: head `f9`.
        case half = 25
        /// binary32: head `fa`.
        case single = 26
        /// binary64: head `fb`.
        case double = 27

        /// Returns `true` if the first is narrower than the second.
        public static func < (first: Precision, second: Precision) -> Bool { first.rawValue < second.rawValue }
    }

    /// The number.
    public let value: Double
    /// The format in which ``FormedCBOR`` writes it.
    public let precision: Precision

    /// A number in the narrowest format that holds it exactly.
    public init(_ value: Double) {
        self.value = value
        precision = Self.narrowestPrecision(of: value.bitPattern)
    }

    /// A number in the given format, or nil if that format does not hold it exactly.
    public init?(_ value: Double, precision: Precision) {
        guard Self.narrowestPrecision(of: value.bitPattern) <= precision else { return nil }
        self.value = value
        self.precision = precision
    }

    /// The number with a half-precision bit pattern.
    public init(halfBitPattern bits: UInt16) {
        value = Double(bitPattern: FloatConversion.double(fromHalf: bits))
        precision = .half
    }

    /// The number with a single-precision bit pattern.
    public init(singleBitPattern bits: UInt32) {
        value = Double(bitPattern: FloatConversion.double(fromSingle: bits))
        precision = .single
    }

    /// The number with a double-precision bit pattern.
    public init(doubleBitPattern bits: UInt64) {
        value = Double(bitPattern: bits)
        precision = .double
    }

    /// The number with the head `f9`, `fa` or `fb` and the argument as its bits.
    init(initialByte: UInt8, bits: UInt64) {
        switch initialByte {
        case 0xf9: self.init(halfBitPattern: UInt16(truncatingIfNeeded: bits))
        case 0xfa: self.init(singleBitPattern: UInt32(truncatingIfNeeded: bits))
        default: self.init(doubleBitPattern: bits)
        }
    }

    /// Indicates that no narrower format holds the number as well.
    public var isShortest: Bool { Self.narrowestPrecision(of: value.bitPattern) == precision }

    static func narrowestPrecision(of bits: UInt64) -> Precision {
        guard let single = FloatConversion.single(fromDouble: bits) else { return .double }
        return FloatConversion.half(fromSingle: single) == nil ? .single : .half
    }
}

extension CBORFloat: Hashable {
    /// Returns `true` for the same number in any precision, compared by bits: 0.0 is not −0.0, and a NaN equals one
    /// with the same payload.
    public static func == (first: CBORFloat, second: CBORFloat) -> Bool {
        first.value.bitPattern == second.value.bitPattern
    }

    /// Hashes the number without its precision.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(value.bitPattern)
    }
}
