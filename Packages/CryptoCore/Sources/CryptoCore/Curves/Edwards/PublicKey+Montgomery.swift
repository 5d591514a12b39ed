extension PublicKey {
    /// The X25519 key that corresponds to an Ed25519 key, or nil for any other key.
    ///
    /// The point on edwards25519 with the coordinate y is mapped to u = (1 + y)/(1 − y) on curve25519 (RFC 7748, section
    /// 4.1). The owner of the Ed25519 key can compute the private key.
    ///
    /// - Throws: ``CryptoError`` with the code `unsupported` in a build without an engine for X25519.
    public func x25519Equivalent() throws(CryptoError) -> PublicKey? {
        guard curve == .ed25519, let rawRepresentation else { return nil }
        let u = EdwardsCurve.ed25519.montgomeryCoordinate(of: rawRepresentation)
        return try PublicKey(curve: .x25519, rawRepresentation: u)
    }
}

extension EdwardsCurve {
    /// The coordinate u of the point with an encoded y, little-endian; the point is neither neutral nor of order 2.
    fileprivate func montgomeryCoordinate(of encoded: [UInt8]) -> [UInt8] {
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
