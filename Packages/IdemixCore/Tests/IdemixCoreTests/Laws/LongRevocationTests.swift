import CBORKit
import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// An authority and a witness with more events between them than one message brings.
@Suite struct LongRevocationTests {
    private let world: TestWorld
    private let events: [RevocationEvent]
    /// The witness for event 0, and the same credential's for the last event.
    private let witnesses: (first: RevocationWitness, last: RevocationWitness)

    init() throws {
        world = try TestWorld()
        let (keys, publicKey) = (world.keys, world.publicKey)
        var events = [RevocationEvent.first]
        // A small prime, so that their product is short.
        for index in 1...UInt64(RevocationEventList.maximumCount) {
            events.append(RevocationEvent(index: index, prime: 11, parent: events[Int(index) - 1].hash))
        }
        let (p, q) = keys.privateKey.factors
        let (n, order) = (p * q, p.shiftedRight(by: 1) * q.shiftedRight(by: 1))
        // From the last accumulator back: u = u'^E.
        let root = BigInteger.random(below: n, using: world.randomness)
        let last = (root * root).modulo(n)
        let first = last.power(BigInteger(11).power(BigInteger(events.count - 1), modulo: order), modulo: n)
        let e = try RevocationAuthority(keys: keys, at: TestWorld.time, using: world.randomness)
            .makeWitness(using: world.randomness).e
        func witness(_ u: BigInteger, _ event: RevocationEvent) throws -> RevocationWitness {
            let accumulator = RevocationAccumulator(
                value: u.power(e, modulo: n),
                index: event.index,
                time: 1_700_000_000,
                eventHash: event.hash
            )
            let unsigned = try UnsignedAccumulator(accumulator, publicKey: publicKey)
            let signature = try keys.privateKey.revocationSigner().signature(for: unsigned.bytesToSign)
            let signed = try unsigned.completed(with: signature)
            return try ReceivedWitness(u: u, e: e, signedAccumulator: signed).verified(by: publicKey)
        }
        witnesses = (try witness(first, events[0]), try witness(last, events[events.count - 1]))
        self.events = events
    }

    @Test func updatesAWitnessWithTheEventsOfSeveralMessages() throws {
        let maximum = RevocationEventList.maximumCount
        let messages = [try RevocationEventList(events[1..<9]), try RevocationEventList(events[9...])]
        let received = try messages.map { try RevocationEventList(decodingCBOR: $0.cborEncoded()) }
        let newest = RevocationUpdate(signedAccumulator: witnesses.last.signedAccumulator, events: nil)
        let update = try newest.adding(earlierEvents: [RevocationEventList([.first])] + received)
        #expect(update.events?.count == maximum + 1)
        let verified = try update.verified(by: world.publicKey)
        #expect(try witnesses.first.updated(with: verified, publicKey: world.publicKey) == witnesses.last)
    }

    @Test func limitsTheEventsOfOneMessage() throws {
        let maximum = RevocationEventList.maximumCount
        let (most, tooMany) = (try RevocationEventList(events.dropFirst()), try RevocationEventList(events))
        #expect(try RevocationEventList(decodingCBOR: most.cborEncoded()).count == maximum)
        #expect(code { _ = try RevocationEventList(decodingCBOR: tooMany.cborEncoded()) } == .limitExceeded)
        let update = RevocationUpdate(signedAccumulator: witnesses.last.signedAccumulator, events: tooMany)
        #expect(code { _ = try RevocationUpdate(decodingCBOR: update.cborEncoded()) } == .limitExceeded)
        #expect(code { _ = try RevocationUpdate(decoding: update.encodedBytes()) } == .limitExceeded)
    }

    @Test func keepsAllEventsOfAnAuthority() throws {
        let update = RevocationUpdate(
            signedAccumulator: witnesses.last.signedAccumulator,
            events: try RevocationEventList(events)
        )
        let authority = try RevocationAuthority(keys: world.keys, continuing: update)
        let again = try RevocationAuthority(decoding: authority.encodedBytes(), keys: world.keys)
        #expect(again.events == events && again.signedAccumulator == authority.signedAccumulator)
        #expect(try again.events(in: 3..<9) == RevocationEventList(events[3..<9]))
    }
}
