/// A witness as an issuer sends it: not verified yet.
public struct ReceivedWitness: Hashable, Sendable {
    /// u, with u^e = ν.
    public let u: BigInteger
    /// The prime, which is also the value of the credential's revocation attribute.
    public let e: BigInteger
    /// The accumulator that the witness belongs to.
    public let signedAccumulator: SignedAccumulator

    /// Keeps the parts of a message; ``verified(by:)`` checks them.
    public init(u: BigInteger, e: BigInteger, signedAccumulator: SignedAccumulator) {
        self.u = u
        self.e = e
        self.signedAccumulator = signedAccumulator
    }

    /// The witness, after the accumulator's signature, the ranges and u^e = ν have been checked.
    ///
    /// - Throws: What ``SignedAccumulator/verified(by:)`` throws, ``IdemixError/Code/invalidWitness``.
    public func verified(by publicKey: IssuerPublicKey) throws(IdemixError) -> RevocationWitness {
        let accumulator = try signedAccumulator.verified(by: publicKey)
        guard e >= RevocationParameters.smallestPrime, e <= RevocationParameters.largestPrime, publicKey.isUnit(u)
        else {
            throw IdemixError(.invalidWitness, "u or e is out of its range")
        }
        return try RevocationWitness(
            u: u,
            e: e,
            accumulator: accumulator,
            signedAccumulator: signedAccumulator,
            publicKey: publicKey
        )
    }
}

/// A witness that a credential is in an accumulator: u^e = ν has been checked.
public struct RevocationWitness: Hashable, Sendable {
    let u: BigInteger
    /// The prime, which is also the value of the credential's revocation attribute.
    public let e: BigInteger
    /// The accumulator that the witness belongs to.
    public let accumulator: Accumulator
    /// The same as it was signed.
    public let signedAccumulator: SignedAccumulator

    init(
        u: BigInteger,
        e: BigInteger,
        accumulator: Accumulator,
        signedAccumulator: SignedAccumulator,
        publicKey: IssuerPublicKey
    ) throws(IdemixError) {
        // ν = u^e
        var power = GroupProduct(publicKey.group, timing: .constant)
        power.multiply(u, to: e, bits: RevocationParameters.attribute + 1)
        guard power.value() == accumulator.value else {
            throw IdemixError(.invalidWitness, "the witness does not belong to the accumulator")
        }
        self.u = u
        self.e = e
        self.accumulator = accumulator
        self.signedAccumulator = signedAccumulator
    }

    /// The form in which the witness travels and is stored.
    public var message: ReceivedWitness {
        ReceivedWitness(u: u, e: e, signedAccumulator: signedAccumulator)
    }

    /// The witness for a newer accumulator.
    ///
    /// With E the product of the primes revoked since, and a·e + b·E = 1: u' = u^b · ν'^a, for then
    /// u'^e = u^(b·e) · ν'^(a·e) = (ν'^E)^b · ν'^(a·e) = ν'.
    ///
    /// - Throws: ``IdemixError/Code/revoked``; ``IdemixError/Code/updateTooNew`` where events are missing in between;
    ///   ``IdemixError/Code/invalidWitness`` where the update is of another key or contradicts the witness.
    public func updated(
        with update: VerifiedRevocationUpdate,
        publicKey: IssuerPublicKey
    ) throws(IdemixError) -> RevocationWitness {
        guard update.keyCounter == publicKey.counter, signedAccumulator.keyCounter == publicKey.counter else {
            throw IdemixError(.invalidWitness, "the update belongs to another key")
        }
        guard update.accumulator.index >= accumulator.index else { return self }
        if update.accumulator.index == accumulator.index { return try redated(with: update, publicKey: publicKey) }
        let events = update.events.filter { $0.index > accumulator.index }
        guard let first = events.first, first.index == accumulator.index + 1 else {
            throw IdemixError(.updateTooNew, "the update begins after event \(accumulator.index + 1)")
        }
        guard first.parent == accumulator.eventHash else {
            throw IdemixError(.invalidEventChain, "the update does not continue the witness's accumulator")
        }
        let E = BigInteger.product(of: events.map(\.prime))
        let (g, a, b) = BigInteger.extendedGreatestCommonDivisor(e, E)
        guard g == .one else { throw IdemixError(.revoked, "the credential has been revoked") }
        let n = publicKey.elements.n
        guard let left = u.signedPower(b, modulo: n), let right = update.accumulator.value.signedPower(a, modulo: n)
        else {
            throw IdemixError(.invalidWitness, "the witness or the accumulator is no unit")
        }
        return try RevocationWitness(
            u: (left * right).modulo(n),
            e: e,
            accumulator: update.accumulator,
            signedAccumulator: update.signedAccumulator,
            publicKey: publicKey
        )
    }

    /// The same witness with the same accumulator, signed later.
    private func redated(
        with update: VerifiedRevocationUpdate,
        publicKey: IssuerPublicKey
    ) throws(IdemixError) -> RevocationWitness {
        guard update.accumulator.time > accumulator.time else { return self }
        guard update.accumulator.value == accumulator.value else {
            throw IdemixError(.invalidWitness, "two accumulators with the same index differ")
        }
        return try RevocationWitness(
            u: u,
            e: e,
            accumulator: update.accumulator,
            signedAccumulator: update.signedAccumulator,
            publicKey: publicKey
        )
    }
}

extension BigInteger {
    /// self^exponent for an exponent of either sign, or nil where the inverse does not exist.
    func signedPower(_ exponent: BigInteger, modulo n: BigInteger) -> BigInteger? {
        guard exponent.isNegative else { return power(exponent, modulo: n) }
        return inverse(modulo: n)?.power(-exponent, modulo: n)
    }
}
