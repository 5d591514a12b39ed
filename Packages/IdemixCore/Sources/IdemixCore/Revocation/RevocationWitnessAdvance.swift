/// A witness on its way to a newer accumulator: the events in between are taken in by parts, and none of them is kept.
///
/// ```swift
/// func advance(
///     _ witness: RevocationWitness,
///     to update: VerifiedRevocationUpdate,
///     publicKey: IdemixIssuerPublicKey,
///     events: (_ after: UInt64) async throws -> RevocationEventList
/// ) async throws -> RevocationWitness {
///     var advance = try RevocationWitnessAdvance(of: witness, to: update, publicKey: publicKey)
///     while !advance.isComplete { try advance.add(try await events(advance.index)) }
///     return try advance.witness()
/// }
/// ```
///
/// With e the witness's prime, ν' the newer accumulator and E the product of the primes so far, it keeps r = E mod e and
/// Y = ν'^(-q) for E = q·e + r. Another product P makes E·P of E, for which q·P + ⌊r·P/e⌋ and r·P mod e take the places of q and r.
/// At the end u' = (u·Y)^b · ν'^(-k) with b·r = 1 + k·e, for then u'^e = ν'^(E·b − q·e·b − k·e) = ν'.
public struct RevocationWitnessAdvance: Sendable {
    /// The witness that is left behind.
    public let origin: RevocationWitness
    /// The accumulator that the witness is to reach.
    public let accumulator: RevocationAccumulator
    /// The index of the last event that was taken in; at first that of the witness's accumulator.
    public private(set) var index: UInt64

    private let signedAccumulator: SignedAccumulator
    private let publicKey: IdemixIssuerPublicKey
    /// ν'^-1, which is public.
    private let inverse: BigInteger
    /// The hash of the last event that was taken in.
    private var hash: RevocationEventHash
    private var remainder = BigInteger.one
    /// Y, or nil for 1.
    private var quotientPower: BigInteger?

    /// Begins with the accumulator of a witness; the events of the update are not taken in yet.
    ///
    /// - Throws: ``IdemixError/Code/invalidWitness`` for an update of another key, or one that is not newer.
    public init(
        of witness: RevocationWitness,
        to update: VerifiedRevocationUpdate,
        publicKey: IdemixIssuerPublicKey
    ) throws(IdemixError) {
        guard update.keyCounter == publicKey.counter, witness.signedAccumulator.keyCounter == publicKey.counter else {
            throw IdemixError(.invalidWitness, "the update belongs to another key")
        }
        guard update.accumulator.index > witness.accumulator.index else {
            throw IdemixError(.invalidWitness, "the update has no newer events")
        }
        origin = witness
        accumulator = update.accumulator
        signedAccumulator = update.signedAccumulator
        index = witness.accumulator.index
        hash = witness.accumulator.eventHash
        inverse = try publicKey.group.inverse(of: update.accumulator.value, "Nu")
        self.publicKey = publicKey
    }

    /// Indicates that every event up to the accumulator was taken in.
    public var isComplete: Bool { index >= accumulator.index }

    /// Takes in the next events of a list; earlier ones, and those after the accumulator, are passed over.
    ///
    /// The powers take a time that depends on the sizes of the events' primes only. The divisions by the witness's
    /// prime, which is secret, are not in constant time, and of a revoked credential no powers are computed.
    ///
    /// - Throws: ``IdemixError/Code/updateTooNew`` for a list without the next event, ``IdemixError/Code/invalidEventChain`` for
    ///   events that do not continue the last ones or do not lead to the accumulator, and the errors of
    ///   ``RevocationEventList/events()``. Then nothing was taken in.
    public mutating func add(_ list: RevocationEventList) throws(IdemixError) {
        try add(list.events())
    }

    mutating func add(_ events: [RevocationEvent]) throws(IdemixError) {
        guard !isComplete else { return }
        let events = events.filter { $0.index > index && $0.index <= accumulator.index }
        guard let first = events.first, let last = events.last, first.index == index + 1 else {
            throw IdemixError(.updateTooNew, "event \(index + 1) is missing")
        }
        guard first.parent == hash, last.index < accumulator.index || last.hash == accumulator.eventHash else {
            throw IdemixError(.invalidEventChain, "the events do not lead from the witness to the accumulator")
        }
        multiply(by: BigInteger.product(of: events.map(\.prime)))
        (index, hash) = (last.index, last.hash)
    }

    private mutating func multiply(by primes: BigInteger) {
        // Of a revoked credential nothing more is computed, but its events are still checked up to the signed accumulator.
        guard !remainder.isZero else { return }
        let whole = remainder * primes
        var power = GroupProduct(publicKey.group, timing: .constant)
        if let quotientPower { power.multiply(quotientPower, to: primes, bits: primes.bitCount) }
        power.multiply(inverse, to: whole.dividedRoundingDown(by: origin.e), bits: primes.bitCount)
        quotientPower = power.value()
        remainder = whole.modulo(origin.e)
    }

    /// The witness for the accumulator.
    ///
    /// The time in which the exponents are computed depends on the witness's prime, too.
    ///
    /// - Throws: ``IdemixError/Code/updateTooNew`` before all events were taken in; ``IdemixError/Code/revoked``;
    ///   ``IdemixError/Code/invalidWitness`` if the events contradict the witness.
    public func witness() throws(IdemixError) -> RevocationWitness {
        guard isComplete else { throw IdemixError(.updateTooNew, "event \(index + 1) is missing") }
        guard let b = remainder.inverse(modulo: origin.e) else {
            throw IdemixError(.revoked, "the credential has been revoked")
        }
        let k = (b * remainder - .one).dividedRoundingDown(by: origin.e)
        let bits = RevocationParameters.attribute + 1
        var product = GroupProduct(publicKey.group, timing: .constant)
        let base = quotientPower.map { publicKey.group.modulus.product(origin.u, $0) } ?? origin.u
        product.multiply(base, to: b, bits: bits)
        product.multiply(inverse, to: k, bits: bits)
        return try RevocationWitness(
            u: product.value(),
            e: origin.e,
            accumulator: accumulator,
            signedAccumulator: signedAccumulator,
            publicKey: publicKey
        )
    }
}
