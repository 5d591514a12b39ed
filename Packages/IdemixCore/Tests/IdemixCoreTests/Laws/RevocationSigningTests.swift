import CBORKit
import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// Accumulators that a `Signer` signs, events that are fetched by ranges, and an authority that is stored.
@Suite struct RevocationSigningTests {
    let world: TestWorld
    let signer: SoftwareSigner
    let start = TestWorld.time

    init() throws {
        world = try TestWorld()
        signer = try world.keys.privateKey.revocationSigner()
    }

    /// An authority with so many revocations behind it.
    private func authority(revocations: Int) async throws -> RevocationAuthority {
        var authority = try await RevocationAuthority(keys: world.keys, at: start, signer: signer)
        for index in 0..<revocations {
            let prime = try authority.makeWitness(using: world.randomness).e
            authority = try await authority.revoking(prime, at: start + Double(index), signer: signer)
        }
        return authority
    }

    private struct FakeSigner: Signer {
        let publicKey: PublicKey
        var algorithm = SignatureAlgorithm.ecdsaSHA256
        let answer: @Sendable ([UInt8]) throws -> [UInt8]
        func signature(for message: [UInt8]) async throws -> [UInt8] { try answer(message) }
    }

    private struct Unavailable: Error {}

    private func refusal(_ signer: any Signer) async throws -> IdemixError? {
        do throws(IdemixError) {
            _ = try await RevocationAuthority(keys: world.keys, at: start, signer: signer)
            return nil
        } catch {
            return error
        }
    }

    @Test func signsInOneStepAndInTwo() async throws {
        let first = try await authority(revocations: 1)
        #expect(try first.signedAccumulator.verified(by: world.publicKey) == first.accumulator)
        let unsigned = try first.prepareRefresh(at: start + 60)
        let second = try unsigned.completed(with: signer.signature(for: unsigned.bytesToSign))
        #expect(try second.signedAccumulator.verified(by: world.publicKey).date == start + 60)
        #expect(second.accumulator.value == first.accumulator.value)
        let third = try await second.refreshed(at: start + 120, signer: signer)
        #expect(third.accumulator.date == start + 120 && third.events == first.events)
    }

    @Test func refusesSignersThatDoNotSignForTheKey() async throws {
        let (signer, key) = (signer, signer.publicKey)
        let other = try SoftwareSigner(PrivateKey.generate(.p256))
        #expect(try await refusal(signer) == nil)
        #expect(try await refusal(other)?.code == .keyPairMismatch)
        let another = FakeSigner(publicKey: key, algorithm: .ecdsaSHA384) { _ in [] }
        #expect(try await refusal(another)?.code == .keyPairMismatch)
        let absent = FakeSigner(publicKey: key) { _ in throw Unavailable() }
        #expect(try await refusal(absent)?.code == .signingFailed)
        #expect(try await refusal(absent)?.cause is Unavailable)
        let faulty = FakeSigner(publicKey: key) { try signer.signature(for: $0 + [0]) }
        #expect(try await refusal(faulty)?.code == .signingFailed)
        for bytes in [[], [UInt8](repeating: 0, count: 64), [UInt8](repeating: 1, count: 65)] as [[UInt8]] {
            let nonsense = FakeSigner(publicKey: key) { _ in bytes }
            #expect(try await refusal(nonsense)?.code == .signingFailed)
        }
    }

    @Test func refusesKeysWithoutMaterialForRevocation() throws {
        let elements = world.publicKey.elements
        let bare = try IdemixIssuerPublicKey(
            counter: 1,
            expiryDate: .distantFuture,
            elements: IdemixKeyElements(n: elements.n, Z: elements.Z, S: elements.S, R: elements.R)
        )
        let accumulator = RevocationAccumulator(value: 4, index: 0, time: 0, eventHash: .none)
        #expect(code { _ = try UnsignedAccumulator(accumulator, publicKey: bare) } == .revocationNotSupported)
        let (p, q) = world.keys.privateKey.factors
        let key = try IdemixIssuerPrivateKey(
            counter: 1,
            expiryDate: .distantFuture,
            p: p,
            q: q,
            validation: .arithmetic
        )
        #expect(code { _ = try key.revocationSigner() } == .revocationNotSupported)
    }

    @Test func joinsEventsFetchedByRanges() async throws {
        let authority = try await authority(revocations: 6)
        let all = try authority.update(lastEvents: 7)
        let last = try authority.update(lastEvents: 2)
        let lists = try [0..<2, 2..<5].map { try authority.events(in: $0) }
        #expect(try last.adding(earlierEvents: lists) == all)
        #expect(try last.adding(earlierEvents: lists).verified(by: world.publicKey).events == authority.events)
        let redated = RevocationUpdate(signedAccumulator: authority.signedAccumulator, events: nil)
        #expect(try redated.adding(earlierEvents: [authority.events(in: 3..<7)]) == authority.update(lastEvents: 4))
        // As they come from a server.
        let received = try RevocationEventList(decodingCBOR: Data(lists[1].cborEncoded()))
        #expect(received == lists[1])
        #expect(try RevocationEventList(decoding: lists[1].encoded()) == lists[1])
        func refusal(_ lists: [RevocationEventList]) -> IdemixError.Code? {
            code { _ = try last.adding(earlierEvents: lists) }
        }
        #expect(refusal([lists[0]]) == .invalidEventChain)
        #expect(refusal(lists.reversed()) == .invalidEventChain)
        #expect(refusal([lists[1], lists[1]]) == .invalidEventChain)
        let foreign = try RevocationEventList(firstIndex: 2, firstParent: .none, primes: lists[1].primes())
        #expect(refusal([lists[0], foreign]) == .invalidEventChain)
        #expect(code { _ = try RevocationEventList(joining: []) } == .invalidEventChain)
    }

    @Test func signsNoAccumulatorThatWasComputedWrongly() async throws {
        let authority = try await authority(revocations: 1)
        let witness = try authority.makeWitness(using: world.randomness)
        let right = try authority.prepareRevocation(of: witness.e, at: start)
        let next = try right.completed(with: signer.signature(for: right.bytesToSign))
        let (event, value) = (try #require(next.events.last), next.accumulator.value)
        #expect(try authority.prepareRevocation(event, computed: value, at: start).bytesToSign == right.bytesToSign)
        // Right modulo one factor only, which would reveal the other one, and wrong modulo both.
        let (p, q) = world.keys.privateKey.factors
        let n = p * q
        for wrong in [(value + p).modulo(n), (value + q).modulo(n), n - value, authority.accumulator.value, 1] {
            #expect(
                code { _ = try authority.prepareRevocation(event, computed: wrong, at: start) } == .invalidSignature
            )
        }
    }

    @Test func servesTheEventsThatItKnows() async throws {
        let authority = try await authority(revocations: 3)
        let later = try RevocationAuthority(keys: world.keys, continuing: authority.update(lastEvents: 2))
        #expect(try later.events(in: 2..<4) == authority.events(in: 2..<4))
        #expect(try later.events(in: 3..<4).firstParent == later.events[0].hash)
        for range in [1..<3, 2..<5, 2..<2, 4..<9, UInt64.max - 1..<UInt64.max] {
            #expect(code { _ = try later.events(in: range) } == .outOfRange)
        }
    }

    @Test func goesOnAfterARestart() async throws {
        let authority = try await authority(revocations: 3)
        let again = try RevocationAuthority(decoding: Data(authority.encoded()), keys: world.keys)
        #expect(again.events == authority.events && again.accumulator == authority.accumulator)
        // With the last event only, and the others fetched from where they are kept.
        let short = try authority.encoded(lastEvents: 0)
        let brief = try RevocationAuthority(decoding: short, keys: world.keys)
        #expect(brief.events == authority.events.suffix(1))
        let witness = try brief.makeWitness(using: world.randomness)
        let next = try await brief.revoking(witness.e, at: start + 9, signer: signer)
        let earlier = try authority.events(in: 0..<3)
        let complete = try next.update(lastEvents: 9).adding(earlierEvents: [earlier])
        #expect(try complete.verified(by: world.publicKey).events.count == 5)
        #expect(code { _ = try RevocationAuthority(decoding: short.dropLast(), keys: world.keys) } == .malformedCBOR)
        let (p, q) = world.keys.privateKey.factors
        let foreign = try IdemixIssuerKeyPair.make(p: p, q: q, counter: 1, expiryDate: .distantFuture, baseCount: 7)
        #expect(code { _ = try RevocationAuthority(decoding: short, keys: foreign) } == .invalidSignedMessage)
    }

    @Test func showsAnUnverifiedAccumulator() async throws {
        let signed = try await authority(revocations: 1).signedAccumulator
        var damaged = signed.data
        damaged[damaged.count - 1] ^= 1
        let unverified = SignedAccumulator(data: damaged, keyCounter: 9)
        #expect(try unverified.unverifiedAccumulator().index == 1)
        #expect(code { _ = try unverified.verified(by: world.publicKey) } == .invalidSignedMessage)
        #expect(
            code { _ = try SignedAccumulator(data: [], keyCounter: 1).unverifiedAccumulator() } == .invalidSignedMessage
        )
        #expect(try SignedAccumulator(decodingCBOR: signed.cborEncoded()[...]) == signed)
        #expect(code { _ = try SignedAccumulator(decodingCBOR: [0xa0]) } == .malformedCBOR)
    }
}
