public import CryptoCore

/// A Camenisch–Lysyanskaya signature over a credential's integers.
///
/// It holds as long as Z = A^e · ∏ R_i^(m_i) · P · S^v (mod n).
public struct CLSignature: Hashable, Sendable {
    /// The element of the group that the issuer computed.
    public let A: BigInteger
    /// The prime exponent.
    public let e: BigInteger
    /// The blinding exponent; below zero half of the time after randomizing.
    public let v: BigInteger
    /// The keyshare server's share R_0^s of the secret key, or nil if no keyshare server takes part.
    public let keyshareP: BigInteger?

    /// Collects the numbers; ``verify(attributes:publicKey:using:)`` checks them.
    public init(A: BigInteger, e: BigInteger, v: BigInteger, keyshareP: BigInteger? = nil) {
        self.A = A
        self.e = e
        self.v = v
        self.keyshareP = keyshareP
    }

    /// The number of Miller–Rabin rounds for e after the Baillie–PSW test: an adversary's composite passes them with a
    /// probability of at most 2^−80.
    static let primalityRounds = 40

    /// Verifies the signature, in a time that does not depend on the attributes or on v.
    ///
    /// - Parameters:
    ///   - attributes: The integers m_0 (the secret key), m_1 (the metadata) and so on.
    ///   - publicKey: The key of the issuer; it has at least as many bases R as there are integers.
    ///   - randomness: The source of the Miller–Rabin bases that e is tested with; by default the system's.
    /// - Throws: ``IdemixError/Code/outOfRange``, ``IdemixError/Code/notInvertible``,
    ///   ``IdemixError/Code/invalidAttribute`` or ``IdemixError/Code/invalidAttributeCount`` for numbers that no
    ///   signature has, and ``IdemixError/Code/invalidSignature`` if the equation does not hold.
    public func verify(
        attributes: [BigInteger],
        publicKey: IdemixIssuerPublicKey,
        using randomness: some RandomSource = .system
    ) throws(IdemixError) -> VerifiedCLSignature {
        try checkNumbers(attributes: attributes, publicKey: publicKey, using: randomness)
        var power = GroupProduct(publicKey.group, timing: .variable)
        power.multiply(A, to: e)
        try requireEquation(powerOfA: power.value(), attributes: attributes, publicKey: publicKey)
        return VerifiedCLSignature(signature: self, publicKey: publicKey)
    }

    /// Refuses numbers that are invalid without an exponentiation modulo n.
    func checkNumbers(
        attributes: [BigInteger],
        publicKey: IdemixIssuerPublicKey,
        using randomness: some RandomSource
    ) throws(IdemixError) {
        try checkRanges(attributes: attributes, publicKey: publicKey)
        guard e.isProbablyPrime(rounds: Self.primalityRounds, using: randomness) else {
            throw IdemixError(.outOfRange, "e is not a prime", path: ["e"])
        }
    }

    /// Refuses numbers outside the ranges of a signature's.
    func checkRanges(attributes: [BigInteger], publicKey: IdemixIssuerPublicKey) throws(IdemixError) {
        let parameters = publicKey.parameters
        guard (1...publicKey.elements.R.count).contains(attributes.count) else {
            throw IdemixError(
                .invalidAttributeCount,
                "\(attributes.count) integers for \(publicKey.elements.R.count) bases"
            )
        }
        try parameters.validate(attributes: attributes)
        try publicKey.requireUnit(A, "A")
        if let keyshareP { try publicKey.requireUnit(keyshareP, "KeyshareP") }
        guard parameters.ePrimes.contains(e) else {
            throw IdemixError(.outOfRange, "e is out of its range", path: ["e"])
        }
        guard v.bitCount <= parameters.v + 1 else { throw IdemixError(.outOfRange, "v is too long", path: ["v"]) }
    }

    /// Checks the equation with A^e given.
    func requireEquation(
        powerOfA: BigInteger,
        attributes: [BigInteger],
        publicKey: IdemixIssuerPublicKey
    ) throws(IdemixError) {
        let group = publicKey.group
        // Z = A^e · ∏ R_i^(m_i) · P · S^v, and with a negative v: Z · S^(−v) = A^e · ∏ R_i^(m_i) · P.
        var right = try GroupProduct.representation(of: attributes, in: group, timing: .constant)
        right.multiply(by: powerOfA)
        if let keyshareP { right.multiply(by: keyshareP) }
        var left = GroupProduct(group, timing: .constant)
        left.multiply(by: publicKey.elements.Z)
        let bits = publicKey.parameters.v + 1
        if v.isNegative { left.multiply(.s, to: -v, bits: bits) } else { right.multiply(.s, to: v, bits: bits) }
        guard left.value() == right.value() else {
            throw IdemixError(.invalidSignature, "the signature's equation does not hold")
        }
    }

    /// A signature over the same integers that cannot be linked to this one.
    ///
    /// A' = A·S^r and v' = v − e·r hold for the same e, since A'^e·S^(v') = A^e·S^v.
    public func randomized(
        publicKey: IdemixIssuerPublicKey,
        using randomness: some RandomSource = .system
    ) -> CLSignature {
        let r = BigInteger.random(bits: publicKey.parameters.signatureRandomizer, using: randomness)
        var product = GroupProduct(publicKey.group, timing: .constant)
        product.multiply(.s, to: r, bits: publicKey.parameters.signatureRandomizer)
        product.multiply(by: A)
        return CLSignature(A: product.value(), e: e, v: v - e * r, keyshareP: keyshareP)
    }
}

extension GroupProduct {
    /// ∏ R_i^(m_i) over all attributes, over-long ones hashed.
    ///
    /// - Throws: ``IdemixError/Code/invalidIndices`` for more attributes than the key has bases.
    static func representation(
        of attributes: [BigInteger],
        in group: KeyGroup,
        timing: Timing
    ) throws(IdemixError) -> GroupProduct {
        var product = GroupProduct(group, timing: timing)
        for (index, attribute) in attributes.enumerated() {
            let exponent = group.parameters.exponent(ofAttribute: attribute)
            try product.multiply(.r(index), to: exponent, bits: group.parameters.attribute)
        }
        return product
    }
}

/// A signature that holds for its attributes under the issuer's key.
///
/// Only ``CLSignature/verify(attributes:publicKey:using:)`` makes values of this type.
public struct VerifiedCLSignature: Hashable, Sendable {
    /// The signature.
    public let signature: CLSignature
    /// The key of the issuer.
    public let publicKey: IdemixIssuerPublicKey
}
