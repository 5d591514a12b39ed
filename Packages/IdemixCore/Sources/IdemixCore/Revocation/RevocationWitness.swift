/// A witness that a credential is in an accumulator: u^e = ν has been checked.
public struct RevocationWitness: Sendable {
    /// u with its table, which lives as long as the last copy of the witness.
    package let base: OwnedBase
    /// The prime, which is also the value of the credential's revocation attribute.
    public let e: BigInteger
    /// The accumulator that the witness belongs to.
    public let accumulator: RevocationAccumulator
    /// The same as it was signed.
    public let signedAccumulator: SignedAccumulator

    var u: BigInteger { base.value }

    init(
        u: BigInteger,
        e: BigInteger,
        accumulator: RevocationAccumulator,
        signedAccumulator: SignedAccumulator,
        publicKey: IdemixIssuerPublicKey
    ) throws(IdemixError) {
        // ν = u^e
        var power = GroupProduct(publicKey.group, timing: .constant)
        power.multiply(u, to: e, bits: RevocationParameters.attribute + 1)
        guard power.value() == accumulator.value else {
            throw IdemixError(.invalidWitness, "the witness does not belong to the accumulator")
        }
        self.init(base: OwnedBase(u), e: e, accumulator: accumulator, signedAccumulator: signedAccumulator)
    }

    private init(
        base: OwnedBase,
        e: BigInteger,
        accumulator: RevocationAccumulator,
        signedAccumulator: SignedAccumulator
    ) {
        self.base = base
        self.e = e
        self.accumulator = accumulator
        self.signedAccumulator = signedAccumulator
    }

    /// A witness from a store that the caller vouches for: neither the signature nor u^e = ν is checked.
    ///
    /// - Throws: ``IdemixError/Code/invalidWitness`` for numbers outside their ranges, and the errors of
    ///   ``SignedAccumulator/unverifiedAccumulator()``.
    init(vouchedFor message: ReceivedWitness, publicKey: IdemixIssuerPublicKey) throws(IdemixError) {
        try message.checkRanges(publicKey: publicKey)
        self.init(
            base: OwnedBase(message.u),
            e: message.e,
            accumulator: try message.signedAccumulator.unverifiedAccumulator(),
            signedAccumulator: message.signedAccumulator
        )
    }

    /// The form in which the witness travels and is stored.
    public var message: ReceivedWitness {
        ReceivedWitness(u: u, e: e, signedAccumulator: signedAccumulator)
    }

    /// The witness for a newer accumulator.
    ///
    /// Where the update lacks events, ``RevocationWitnessAdvance`` takes them in by parts.
    ///
    /// The time of the powers depends on the update only, and grows with the number of events.
    ///
    /// - Throws: ``IdemixError/Code/revoked``; ``IdemixError/Code/updateTooNew`` where events are missing in between;
    ///   ``IdemixError/Code/invalidWitness`` if the update is of another key or contradicts the witness.
    public func updated(
        with update: VerifiedRevocationUpdate,
        publicKey: IdemixIssuerPublicKey
    ) throws(IdemixError) -> RevocationWitness {
        guard update.keyCounter == publicKey.counter, signedAccumulator.keyCounter == publicKey.counter else {
            throw IdemixError(.invalidWitness, "the update belongs to another key")
        }
        guard update.accumulator.index >= accumulator.index else { return self }
        if update.accumulator.index == accumulator.index { return try redated(with: update) }
        var advance = try RevocationWitnessAdvance(of: self, to: update, publicKey: publicKey)
        try advance.add(update.events)
        return try advance.witness()
    }

    /// The same witness with the same accumulator, signed later.
    private func redated(with update: VerifiedRevocationUpdate) throws(IdemixError) -> RevocationWitness {
        guard update.accumulator.time > accumulator.time else { return self }
        guard update.accumulator.value == accumulator.value else {
            throw IdemixError(.invalidWitness, "two accumulators with the same index differ")
        }
        // ν and u are unchanged, so u^e = ν still holds and the table stays valid.
        return RevocationWitness(
            base: base,
            e: e,
            accumulator: update.accumulator,
            signedAccumulator: update.signedAccumulator
        )
    }
}

extension RevocationWitness: Hashable {
    /// Returns `true` for witnesses of the same credential for the same signed accumulator.
    public static func == (left: RevocationWitness, right: RevocationWitness) -> Bool {
        left.u == right.u && left.e == right.e && left.signedAccumulator == right.signedAccumulator
    }

    /// Hashes the signed accumulator; u and e are secret.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(signedAccumulator)
    }
}
