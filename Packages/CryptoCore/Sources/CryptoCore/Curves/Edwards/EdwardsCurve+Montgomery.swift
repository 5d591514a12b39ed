extension EdwardsCurve {
    /// The coordinate u of the point with an encoded y, little-endian; the point is neither neutral nor of order 2.
    func montgomeryCoordinate(of encoded: [UInt8]) -> [UInt8] {
        let y = field.element(WideInteger(littleEndian: encoded.dropLast() + [(encoded.last ?? 0) & 0x7f]))
        let numerator = field.add(field.one, y)
        let denominator = field.subtract(field.one, y)
        let u = field.number(field.multiply(numerator, field.inverse(of: denominator)))
        return encoded.indices.map { UInt8(truncatingIfNeeded: u[$0 / 8] >> UInt64(8 * ($0 % 8))) }
    }
}

extension PrimeField {
    /// The inverse of an element by Fermat's theorem; zero for zero.
    fileprivate func inverse(of element: WideInteger) -> WideInteger {
        let exponent = prime - WideInteger(2)
        var power = one
        for bit in (0..<512).reversed() {
            power = multiply(power, power)
            if exponent[bit / 64] >> UInt64(bit % 64) & 1 == 1 { power = multiply(power, element) }
        }
        return power
    }

    /// The number that an element in Montgomery form stands for.
    fileprivate func number(_ element: WideInteger) -> WideInteger { multiply(element, WideInteger(1)) }
}
