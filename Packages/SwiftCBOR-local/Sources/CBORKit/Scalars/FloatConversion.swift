/// Conversions between the three binary formats of IEEE 754 on bit patterns, so that every NaN keeps its payload: the
/// hardware's conversions quiet a signalling one.
enum FloatConversion {
    /// The only NaN of deterministic encoding, in half precision.
    static let canonicalHalfNaN: UInt16 = 0x7e00

    /// The double-precision pattern of a half-precision number.
    static func double(fromHalf bits: UInt16) -> UInt64 {
        let sign = UInt64(bits >> 15) << 63
        let exponent = UInt64(bits >> 10 & 0x1f)
        let mantissa = UInt64(bits & 0x3ff)
        switch exponent {
        case 0: return sign | (Double(mantissa) * 0x1p-24).bitPattern
        case 0x1f: return sign | 0x7ff << 52 | mantissa << 42
        default: return sign | (exponent + 1008) << 52 | mantissa << 42
        }
    }

    /// The double-precision pattern of a single-precision number.
    static func double(fromSingle bits: UInt32) -> UInt64 {
        guard bits >> 23 & 0xff == 0xff else { return Double(Float(bitPattern: bits)).bitPattern }
        return UInt64(bits >> 31) << 63 | 0x7ff << 52 | UInt64(bits & 0x7f_ffff) << 29
    }

    /// The single-precision pattern of a double-precision number, or nil if that would lose something.
    static func single(fromDouble bits: UInt64) -> UInt32? {
        if bits >> 52 & 0x7ff == 0x7ff {
            guard bits & 0x1fff_ffff == 0 else { return nil }
            return UInt32(bits >> 63) << 31 | 0xff << 23 | UInt32(bits >> 29 & 0x7f_ffff)
        }
        let single = Float(Double(bitPattern: bits))
        return Double(single).bitPattern == bits ? single.bitPattern : nil
    }

    /// The half-precision pattern of a single-precision number, or nil if that would lose something.
    static func half(fromSingle bits: UInt32) -> UInt16? {
        let sign = UInt16(bits >> 31) << 15
        let exponent = Int(bits >> 23 & 0xff) - 127
        let mantissa = bits & 0x7f_ffff
        switch exponent {
        case 128:
            return mantissa & 0x1fff == 0 ? sign | 0x7c00 | UInt16(mantissa >> 13) : nil
        case -14...15:
            return mantissa & 0x1fff == 0 ? sign | UInt16(exponent + 15) << 10 | UInt16(mantissa >> 13) : nil
        case -24 ..< -14:
            let significand = mantissa | 0x80_0000
            let shift = UInt32(-1 - exponent)
            return significand & (1 << shift - 1) == 0 ? sign | UInt16(significand >> shift) : nil
        default:
            return bits << 1 == 0 ? sign : nil
        }
    }

    /// The half-precision pattern of a double-precision number, or nil if that would lose something.
    static func half(fromDouble bits: UInt64) -> UInt16? {
        single(fromDouble: bits).flatMap(half(fromSingle:))
    }
}
