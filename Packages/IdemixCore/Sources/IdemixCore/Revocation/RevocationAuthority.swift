public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps the accumulator of one key: makes witnesses, revokes, publishes.
///
/// It is a value. Its owner serializes concurrent revocations.
public struct RevocationAuthority: Sendable {
    /// The accumulator as it is now.
    public private(set) var accumulator: Accumulator
    /// The same, signed.
    public private(set) var signedAccumulator: SignedAccumulator
    /// All events that are known, the last one the accumulator's.
    public private(set) var events: [RevocationEvent]
    private let keys: IssuerKeyPair

    /// Starts with a random accumulator and event 0.
    ///
    /// - Throws: ``IdemixError/Code/revocationNotSupported``.
    public init(
        keys: IssuerKeyPair,
        at date: Date,
        from randomness: some RandomSource = SystemRandomSource()
    ) throws(IdemixError) {
        guard keys.publicKey.supportsRevocation else {
            throw IdemixError(.revocationNotSupported, "the public key has no material for revocation")
        }
        let accumulator = Accumulator(
            value: keys.privateKey.group.randomSquare(from: randomness),
            index: 0,
            time: date.wholeSeconds,
            eventHash: RevocationEvent.first.hash
        )
        signedAccumulator = try SignedAccumulator(accumulator, privateKey: keys.privateKey)
        self.accumulator = accumulator
        events = [.first]
        self.keys = keys
    }

    /// Goes on from what was published before.
    ///
    /// - Throws: ``IdemixError/Code/invalidEventChain`` for an update without events, and what
    ///   ``RevocationUpdate/verified(by:)`` throws.
    public init(keys: IssuerKeyPair, continuing update: RevocationUpdate) throws(IdemixError) {
        let verified = try update.verified(by: keys.publicKey)
        guard !verified.events.isEmpty else {
            throw IdemixError(.invalidEventChain, "without the last event no other can follow")
        }
        accumulator = verified.accumulator
        signedAccumulator = verified.signedAccumulator
        events = verified.events
        self.keys = keys
    }

    /// A fresh witness for a credential that is about to be issued: e random, u = ν^(1/e).
    public func makeWitness(
        from randomness: some RandomSource = SystemRandomSource()
    ) throws(IdemixError) -> RevocationWitness {
        let group = keys.privateKey.group
        while true {
            let e = BigInteger.randomPrime(
                from: RevocationParameters.smallestPrime,
                bits: RevocationParameters.attribute,
                randomness: randomness
            )
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

    /// Takes a prime out of the accumulator: ν' = ν^(1/e).
    ///
    /// - Throws: ``IdemixError/Code/outOfRange`` for a number that is no witness's prime.
    public mutating func revoke(_ prime: BigInteger, at date: Date) throws(IdemixError) {
        guard prime >= RevocationParameters.smallestPrime, prime <= RevocationParameters.largestPrime,
            let inverse = keys.privateKey.group.inverse(of: prime)
        else {
            throw IdemixError(.outOfRange, "not the prime of a witness", path: ["e"])
        }
        let event = RevocationEvent(index: accumulator.index + 1, prime: prime, parent: accumulator.eventHash)
        let next = Accumulator(
            value: keys.privateKey.group.element(accumulator.value).power(inverse),
            index: event.index,
            time: date.wholeSeconds,
            eventHash: event.hash
        )
        signedAccumulator = try SignedAccumulator(next, privateKey: keys.privateKey)
        accumulator = next
        events.append(event)
    }

    /// Signs the accumulator anew, so that verifiers see that it is recent.
    public mutating func refresh(at date: Date) throws(IdemixError) {
        let next = Accumulator(
            value: accumulator.value,
            index: accumulator.index,
            time: date.wholeSeconds,
            eventHash: accumulator.eventHash
        )
        signedAccumulator = try SignedAccumulator(next, privateKey: keys.privateKey)
        accumulator = next
    }

    /// The update to publish: the accumulator and the last events.
    ///
    /// - Parameter count: The largest number of events.
    public func update(lastEvents count: Int) throws(IdemixError) -> RevocationUpdate {
        let last = events.suffix(max(0, count))
        guard let first = last.first else { return RevocationUpdate(signedAccumulator: signedAccumulator, events: nil) }
        return RevocationUpdate(
            signedAccumulator: signedAccumulator,
            events: try RevocationEventList(
                firstIndex: first.index,
                firstParent: first.parent,
                primes: last.map(\.prime)
            )
        )
    }
}
