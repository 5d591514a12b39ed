extension OutputBuffer {
    /// Appends a floating-point number in its precision.
    mutating func append(_ number: CBORFloat) {
        let bits = number.value.bitPattern
        switch number.precision {
        case .half: append(7, UInt64(FloatConversion.half(fromDouble: bits) ?? 0), width: .two)
        case .single: append(7, UInt64(FloatConversion.single(fromDouble: bits) ?? 0), width: .four)
        case .double: append(7, bits, width: .eight)
        }
    }
}

extension CBORFloat {
    /// The only NaN of preferred and deterministic encoding.
    static let canonicalNaN = CBORFloat(halfBitPattern: FloatConversion.canonicalHalfNaN)
}
