public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The accumulator of one key as its issuer keeps it: makes witnesses, revokes, publishes.
///
/// It is a value: each change makes the next authority, signed by a `Signer` or in two steps
/// (``UnsignedRevocationAuthority``). Its owner puts the next one in the place of the one that it was made from, and of no
/// other; two authorities that follow the same one contradict each other.
public struct RevocationAuthority: Sendable {
    /// The accumulator as it is now.
    public let accumulator: RevocationAccumulator
    /// The same, signed.
    public let signedAccumulator: SignedAccumulator
    /// The events that this value knows, the last one the accumulator's.
    public let events: [RevocationEvent]
    let keys: IdemixIssuerKeyPair

    init(
        accumulator: RevocationAccumulator,
        signedAccumulator: SignedAccumulator,
        events: [RevocationEvent],
        keys: IdemixIssuerKeyPair
    ) {
        self.accumulator = accumulator
        self.signedAccumulator = signedAccumulator
        self.events = events
        self.keys = keys
    }

    /// Starts with a random accumulator and event 0.
    ///
    /// - Throws: ``IdemixError/Code/revocationNotSupported`` and the errors of ``UnsignedAccumulator/sign(with:)``.
    public init(
        keys: IdemixIssuerKeyPair,
        at date: Date,
        signer: any Signer,
        using randomness: some RandomSource = .system
    ) async throws(IdemixError) {
        self = try await Self.prepare(keys: keys, at: date, using: randomness).sign(with: signer)
    }

    /// Prepares an authority with a random accumulator and event 0.
    ///
    /// - Throws: ``IdemixError/Code/revocationNotSupported``.
    public static func prepare(
        keys: IdemixIssuerKeyPair,
        at date: Date,
        using randomness: some RandomSource = .system
    ) throws(IdemixError) -> UnsignedRevocationAuthority {
        let accumulator = RevocationAccumulator(
            value: try keys.privateKey.group.randomSquare(using: randomness),
            index: 0,
            time: date.wholeSeconds,
            eventHash: RevocationEvent.first.hash
        )
        return try UnsignedRevocationAuthority(accumulator, events: [.first], keys: keys)
    }

    /// Continues from the last published update.
    ///
    /// - Throws: ``IdemixError/Code/invalidEventChain`` for an update without events, and the errors of
    ///   ``RevocationUpdate/verified(by:)``.
    public init(keys: IdemixIssuerKeyPair, continuing update: RevocationUpdate) throws(IdemixError) {
        let verified = try update.verified(by: keys.publicKey)
        guard !verified.events.isEmpty else {
            throw IdemixError(.invalidEventChain, "without the last event no other can follow")
        }
        self.init(
            accumulator: verified.accumulator,
            signedAccumulator: verified.signedAccumulator,
            events: verified.events,
            keys: keys
        )
    }

    /// A fresh witness for a credential that is about to be issued: e random, u = ν^(1/e).
    ///
    /// - Throws: ``IdemixError/Code/randomnessFailed`` for a source of randomness that repeats itself.
    public func makeWitness(
        using randomness: some RandomSource = .system
    ) throws(IdemixError) -> RevocationWitness {
        let group = keys.privateKey.group
        while true {
            let e = try PrimeSearch(start: RevocationParameters.smallestPrime, bits: RevocationParameters.attribute)
                .next(using: randomness)
            guard let inverse = group.inverse(of: e) else { continue }
            return try RevocationWitness(
                u: group.element(accumulator.value).power(inverse),
                e: e,
                accumulator: accumulator,
                signedAccumulator: signedAccumulator,
                publicKey: keys.publicKey
            )
        }
    }
}

extension RevocationAuthority {
    /// The next authority, with a prime taken out of the accumulator: ν' = ν^(1/e).
    ///
    /// - Throws: ``IdemixError/Code/outOfRange`` for a number that is not a witness's prime, and the errors of
    ///   ``UnsignedAccumulator/sign(with:)``.
    public func revoking(
        _ prime: BigInteger,
        at date: Date,
        signer: any Signer
    ) async throws(IdemixError) -> RevocationAuthority {
        try await prepareRevocation(of: prime, at: date).sign(with: signer)
    }

    /// Prepares the next authority, with a prime taken out of the accumulator: ν' = ν^(1/e).
    ///
    /// - Throws: ``IdemixError/Code/outOfRange`` for a number that is not a witness's prime, and
    ///   ``IdemixError/Code/invalidSignature`` for a computation that was faulty.
    public func prepareRevocation(
        of prime: BigInteger,
        at date: Date
    ) throws(IdemixError) -> UnsignedRevocationAuthority {
        guard prime >= RevocationParameters.smallestPrime, prime <= RevocationParameters.largestPrime,
            let inverse = keys.privateKey.group.inverse(of: prime)
        else {
            throw IdemixError(.outOfRange, "not the prime of a witness", path: ["e"])
        }
        let (index, isTooLarge) = accumulator.index.addingReportingOverflow(1)
        guard !isTooLarge else { throw IdemixError(.outOfRange, "there is no index for another event", path: ["i"]) }
        let event = RevocationEvent(index: index, prime: prime, parent: accumulator.eventHash)
        let value = keys.privateKey.group.element(accumulator.value).power(inverse)
        return try prepareRevocation(event, computed: value, at: date)
    }

    /// Prepares the next authority with ν' as it was computed, after checking it.
    ///
    /// - Throws: ``IdemixError/Code/invalidSignature`` for a computation that was faulty.
    package func prepareRevocation(
        _ event: RevocationEvent,
        computed value: BigInteger,
        at date: Date
    ) throws(IdemixError) -> UnsignedRevocationAuthority {
        // A fault in one half of the computation would reveal the factors of n with the accumulator.
        guard keys.privateKey.group.isPower(accumulator.value, of: value, event.prime) else {
            throw IdemixError(.invalidSignature, "the computation of the accumulator was faulty", path: ["nu"])
        }
        let next = RevocationAccumulator(
            value: value,
            index: event.index,
            time: date.wholeSeconds,
            eventHash: event.hash
        )
        return try UnsignedRevocationAuthority(next, events: events + [event], keys: keys)
    }

    /// The same authority with its accumulator signed anew, so that verifiers see that it is recent.
    ///
    /// - Throws: The errors of ``UnsignedAccumulator/sign(with:)``.
    public func refreshed(at date: Date, signer: any Signer) async throws(IdemixError) -> RevocationAuthority {
        try await prepareRefresh(at: date).sign(with: signer)
    }

    /// Prepares the same authority with another time in its accumulator.
    public func prepareRefresh(at date: Date) throws(IdemixError) -> UnsignedRevocationAuthority {
        let next = RevocationAccumulator(
            value: accumulator.value,
            index: accumulator.index,
            time: date.wholeSeconds,
            eventHash: accumulator.eventHash
        )
        return try UnsignedRevocationAuthority(next, events: events, keys: keys)
    }
}
