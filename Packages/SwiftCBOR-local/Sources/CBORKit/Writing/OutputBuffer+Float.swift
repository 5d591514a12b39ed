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
    /// The number in the narrowest format that holds it; every NaN as the only one of deterministic encoding.
    var preferred: CBORFloat {
        value.isNaN ? CBORFloat(halfBitPattern: FloatConversion.canonicalHalfNaN) : CBORFloat(value)
    }
}
