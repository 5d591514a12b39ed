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

    private func advance() throws -> RevocationWitnessAdvance {
        let newest = RevocationUpdate(signedAccumulator: witnesses.last.signedAccumulator, events: nil)
        return try RevocationWitnessAdvance(
            of: witnesses.first,
            to: newest.verified(by: world.publicKey),
            publicKey: world.publicKey
        )
    }

    @Test func movesAWitnessByParts() throws {
        var advance = try advance()
        // Parts may overlap, and reach beyond the accumulator.
        for end in [2, 3, 500, 40_000, events.count] {
            #expect(!advance.isComplete && advance.index < UInt64(end))
            try advance.add(RevocationEventList(events[max(0, Int(advance.index) - 7)..<end]))
            #expect(advance.index == UInt64(end - 1))
        }
        #expect(advance.isComplete)
        #expect(try advance.witness() == witnesses.last)
    }

    @Test func refusesPartsThatDoNotFollow() throws {
        var advance = try advance()
        try advance.add(RevocationEventList(events[0..<10]))
        #expect(code { _ = try advance.witness() } == .updateTooNew)
        for missing in [events[0..<10], events[11..<20]] {
            #expect(code { try advance.add(RevocationEventList(missing)) } == .updateTooNew)
        }
        let other = RevocationEvent(index: 10, prime: 11, parent: events[3].hash)
        #expect(code { try advance.add(RevocationEventList([other])) } == .invalidEventChain)
        #expect(advance.index == 9)
        // The last event has another prime than the signed accumulator says.
        try advance.add(RevocationEventList(events[10..<events.count - 1]))
        let last = RevocationEvent(
            index: UInt64(events.count - 1),
            prime: 13,
            parent: events[events.count - 2].hash
        )
        #expect(code { try advance.add(RevocationEventList([last])) } == .invalidEventChain)
        try advance.add(RevocationEventList(events[(events.count - 1)...]))
        #expect(try advance.witness() == witnesses.last)
    }

    /// A server that makes an event of the credential's prime up revokes nothing.
    @Test func believesARevocationOnlyWithTheWholeChain() async throws {
        let keys = world.keys
        let signer = try keys.privateKey.revocationSigner()
        let first = try await RevocationAuthority(keys: keys, at: TestWorld.time, signer: signer)
        let witness = try first.makeWitness(using: world.randomness)
        let other = try first.makeWitness(using: world.randomness)
        let second = try await first.revoking(other.e, at: TestWorld.time, signer: signer)
        let third = try await second.revoking(witness.e, at: TestWorld.time, signer: signer)
        func advance(_ authority: RevocationAuthority) throws -> RevocationWitnessAdvance {
            try RevocationWitnessAdvance(
                of: witness,
                to: authority.update(lastEvents: 0).verified(by: world.publicKey),
                publicKey: world.publicKey
            )
        }
        var deceived = try advance(third)
        let event = RevocationEvent(index: 1, prime: witness.e, parent: RevocationEvent.first.hash)
        try deceived.add(RevocationEventList([event]))
        let next = RevocationEvent(index: 2, prime: other.e, parent: event.hash)
        #expect(code { try deceived.add(RevocationEventList([next])) } == .invalidEventChain)
        #expect(code { _ = try deceived.witness() } == .updateTooNew)
        var told = try advance(third)
        for event in third.events.dropFirst() { try told.add(RevocationEventList([event])) }
        #expect(code { _ = try told.witness() } == .revoked)
        #expect(code { _ = try advance(first) } == .invalidWitness)
        let update = try third.update(lastEvents: 0).verified(by: world.publicKey)
        let otherKey = try IdemixIssuerPublicKey(
            counter: world.publicKey.counter + 1,
            expiryDate: world.publicKey.expiryDate,
            elements: world.publicKey.elements,
            revocationKey: world.publicKey.revocationKey
        )
        let refusal = code { _ = try RevocationWitnessAdvance(of: witness, to: update, publicKey: otherKey) }
        #expect(refusal == .invalidWitness)
    }

    @Test func limitsTheEventsOfOneMessage() throws {
        let maximum = RevocationEventList.maximumCount
        let (most, tooMany) = (try RevocationEventList(events.dropFirst()), try RevocationEventList(events))
        #expect(try RevocationEventList(decodingCBOR: most.cborEncoded()).count == maximum)
        #expect(code { _ = try RevocationEventList(decodingCBOR: tooMany.cborEncoded()) } == .limitExceeded)
        let update = RevocationUpdate(signedAccumulator: witnesses.last.signedAccumulator, events: tooMany)
        #expect(code { _ = try RevocationUpdate(decodingCBOR: update.cborEncoded()) } == .limitExceeded)
        #expect(code { _ = try RevocationUpdate(decoding: update.encoded()) } == .limitExceeded)
    }

    @Test func keepsAllEventsOfAnAuthority() throws {
        let update = RevocationUpdate(
            signedAccumulator: witnesses.last.signedAccumulator,
            events: try RevocationEventList(events)
        )
        let authority = try RevocationAuthority(keys: world.keys, continuing: update)
        let again = try RevocationAuthority(decoding: authority.encoded(), keys: world.keys)
        #expect(again.events == events && again.signedAccumulator == authority.signedAccumulator)
        #expect(try again.events(in: 3..<9) == RevocationEventList(events[3..<9]))
    }
}
