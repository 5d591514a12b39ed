import CredentialTesting
import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// Several credentials issued as one step, also across a restart of the wallet.
@Suite struct PendingIdemixIssuanceTests {
    let world: TestWorld
    let other: TestWorld
    let challenge = IdemixChallenge(nonce: 42)

    init() throws {
        world = try TestWorld()
        other = TestWorld(keys: try TestKeys.pair(.bits2048), like: world)
    }

    /// An order of one credential of each issuer, the second with a random-blind attribute.
    private func requests() throws -> [IdemixIssuanceRequest] {
        [
            try IdemixIssuanceRequest(publicKey: world.publicKey, attributes: try TestWorld.attributes(["a"])),
            try IdemixIssuanceRequest(
                publicKey: other.publicKey,
                attributes: try TestWorld.attributes(["b"]) + [0],
                blindIndices: [3]
            ),
        ]
    }

    private func orders(_ change: (inout [[BigInteger]]) throws -> Void = { _ in }) throws -> [IdemixIssuanceOrder] {
        var attributes = [try TestWorld.attributes(["a"]), try TestWorld.attributes(["b"]) + [0]]
        try change(&attributes)
        return [
            IdemixIssuanceOrder(
                issuer: IdemixIssuer(keys: world.keys, using: world.randomness),
                attributes: attributes[0]
            ),
            IdemixIssuanceOrder(
                issuer: IdemixIssuer(keys: other.keys, using: world.randomness),
                attributes: attributes[1],
                blindIndices: [3]
            ),
        ]
    }

    /// The holder's state and the issuers' signatures.
    private func run(
        _ orders: [IdemixIssuanceOrder]
    ) throws -> (pending: PendingIdemixIssuance, signatures: [IssuedCLSignature]) {
        let builder = IdemixProofListBuilder(using: world.randomness)
        let pending = try builder.addIssuance(of: requests(), secretKey: world.secretKey)
        let list = try builder.prove(challenge: challenge)
        let verified = try list.verify(
            expecting: try self.orders().map(\.expectation),
            challenge: challenge,
            at: TestWorld.time
        ).get()
        return (pending, try verified.sign(orders, nonce: pending.nonce))
    }

    private func refusal(_ body: () throws(IdemixError) -> Void) -> IdemixError? {
        do throws(IdemixError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    @Test func tiesSignaturesToCommitmentsByPosition() throws {
        let (pending, signatures) = try run(orders())
        let credentials = try pending.finish(with: signatures, using: world.randomness)
        #expect(credentials.map(\.publicKey) == [world.publicKey, other.publicKey])
        #expect(try AttributeEncoding.version3.text(of: credentials[1].attributes[1]) == "b")
        #expect(credentials[1].attributes[2].bitCount > 200)
        let swapped = refusal { () throws(IdemixError) in _ = try pending.finish(with: signatures.reversed()) }
        #expect(swapped?.path.first == "sigs[0]")
        let broken = [signatures[0], signatures[0]]
        #expect(refusal { () throws(IdemixError) in _ = try pending.finish(with: broken) }?.path.first == "sigs[1]")
        for count in [0, 1, 3] {
            let some = (0..<count).map { signatures[$0 % 2] }
            #expect(refusal { () throws(IdemixError) in _ = try pending.finish(with: some) }?.code == .countMismatch)
        }
    }

    @Test func signsAllOrNone() throws {
        let builder = IdemixProofListBuilder(using: world.randomness)
        _ = try builder.addIssuance(of: requests(), secretKey: world.secretKey)
        let list = try builder.prove(challenge: challenge)
        let orders = try orders()
        let verified = try list.verify(
            expecting: orders.map(\.expectation),
            challenge: challenge,
            at: TestWorld.time
        ).get()
        #expect(verified.commitments.count == 2 && verified.disclosures.isEmpty)
        func refusal(_ orders: [IdemixIssuanceOrder]) -> IdemixError? {
            self.refusal { () throws(IdemixError) in _ = try verified.sign(orders, nonce: 1) }
        }
        #expect(refusal(orders) == nil)
        #expect(refusal([orders[0]])?.code == .countMismatch)
        #expect(refusal(orders + orders)?.code == .countMismatch)
        #expect(refusal(orders.reversed())?.path.first == "credentials[0]")
        let keysSwapped = [
            IdemixIssuanceOrder(issuer: orders[1].issuer, attributes: orders[0].attributes), orders[1],
        ]
        #expect(refusal(keysSwapped)?.code == .keyPairMismatch)
        let seen = [orders[0], IdemixIssuanceOrder(issuer: orders[1].issuer, attributes: orders[1].attributes)]
        #expect(refusal(seen)?.code == .invalidIndices)
        #expect(refusal(seen)?.path == ["credentials[1]"])
    }

    /// The weeks between the two clocks, and the outcome.
    @Test(arguments: [(-2, false), (-1, true), (0, true), (1, true), (2, false)])
    func acceptsTheMetadataOfANeighboringWeek(shift: Int, isAccepted: Bool) throws {
        let expected = try MetadataAttribute(integer: try TestWorld.attributes([])[0])
        let shifted = try MetadataAttribute(
            credentialType: "test.issuer.type",
            keyCounter: 1,
            signedAt: expected.signingDate + Double(shift) * 604_800,
            expiresAt: expected.expiryDate
        )
        let (pending, signatures) = try run(try orders { $0[1][0] = shifted.integer })
        guard isAccepted else {
            let error = refusal { () throws(IdemixError) in _ = try pending.finish(with: signatures) }
            #expect(error?.code == .invalidSignature)
            #expect(error?.path.first == "sigs[1]")
            return
        }
        let credentials = try pending.finish(with: signatures)
        #expect(try credentials[1].metadata() == shifted)
        #expect(try credentials[0].metadata() == expected)
    }

    @Test func refusesAnotherExpiryInANeighboringWeek() throws {
        let expected = try MetadataAttribute(integer: try TestWorld.attributes([])[0])
        let longer = try MetadataAttribute(
            credentialType: "test.issuer.type",
            keyCounter: 1,
            signedAt: expected.signingDate + 604_800,
            expiresAt: expected.expiryDate + 604_800
        )
        let (pending, signatures) = try run(try orders { $0[0][0] = longer.integer })
        #expect(
            refusal { () throws(IdemixError) in _ = try pending.finish(with: signatures) }?.code == .invalidSignature
        )
    }

    @Test func finishesAfterARestart() throws {
        let (pending, signatures) = try run(orders())
        let stored = pending.encoded()
        let secretKey = try IdemixHolderSecretKey(decoding: world.secretKey.encodedBytes)
        let keys = pending.publicKeys
        let again = try PendingIdemixIssuance(decoding: stored, publicKeys: keys, secretKey: secretKey)
        #expect(again.nonce == pending.nonce && again.context == pending.context && again.count == 2)
        #expect(again.encoded() == stored)
        let credentials = try again.finish(with: signatures)
        #expect(credentials.map(\.hash) == (try pending.finish(with: signatures)).map(\.hash))
        func refusal(_ bytes: some ContiguousBytes, _ keys: [IdemixIssuerPublicKey]) -> IdemixError? {
            self.refusal { () throws(IdemixError) in
                _ = try PendingIdemixIssuance(decoding: bytes, publicKeys: keys, secretKey: secretKey)
            }
        }
        #expect(refusal(stored, [keys[0]])?.code == .countMismatch)
        #expect(refusal(stored, keys.reversed())?.code == .keyPairMismatch)
        #expect(refusal(stored, keys.reversed())?.path.first == "credentials[0]")
        #expect(refusal([UInt8](), keys)?.code == .malformedCBOR)
        let bytes = stored.exposed
        #expect(refusal(bytes.dropLast(), keys)?.code == .malformedCBOR)
        // Another version of the form: the number behind the name.
        var newer = bytes
        newer[try #require(bytes.firstRange(of: Array("version".utf8))).upperBound] = 2
        #expect(refusal(newer, keys)?.path == ["version"])
        // Another holder's key makes no credential.
        let stranger = try PendingIdemixIssuance(decoding: bytes, publicKeys: keys, secretKey: .random())
        #expect(
            self.refusal { () throws(IdemixError) in _ = try stranger.finish(with: signatures) }?.code
                == .invalidSignature
        )
    }

    /// The length of a secret number does not show in the length of the state.
    @Test func storedStateHasOneLength() throws {
        let requests = try requests()
        let lengths = try (0..<20).map { _ in
            try IdemixProofListBuilder().addIssuance(of: requests, secretKey: .random()).encoded().count
        }
        // Only the nonce n_2, which is public, can be shorter.
        #expect(lengths.max().map { longest in lengths.allSatisfy { longest - $0 <= 2 } } == true)
        // The secret key is no part of it.
        let again = try (0..<8).map { _ in
            let builder = IdemixProofListBuilder(using: GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 3)))
            return try builder.addIssuance(of: requests, secretKey: .random()).encoded()
        }
        #expect(again.allSatisfy { $0 == again[0] })
    }

    @Test func damagedStateIsRefusedOrMakesNoCredential() throws {
        let (pending, signatures) = try run(orders())
        let bytes = pending.encoded().exposed
        var mutator = Mutator(seed: 4)
        for _ in 0..<80 {
            let damaged = mutator.mutate(bytes)
            guard
                let read = try? PendingIdemixIssuance(
                    decoding: damaged,
                    publicKeys: pending.publicKeys,
                    secretKey: world.secretKey
                )
            else { continue }
            guard let made = try? read.finish(with: signatures) else { continue }
            #expect(made.map(\.hash) == (try pending.finish(with: signatures)).map(\.hash))
        }
    }

    @Test func refusesRequestsThatCannotBe() throws {
        let attributes = try TestWorld.attributes(["a"]) + [0]
        func refusal(
            _ attributes: [BigInteger],
            _ blind: Set<Int> = [],
            _ revocation: Int? = nil
        ) -> IdemixError.Code? {
            code {
                _ = try IdemixIssuanceRequest(
                    publicKey: world.publicKey,
                    attributes: attributes,
                    blindIndices: blind,
                    revocationIndex: revocation
                )
            }
        }
        #expect(refusal(attributes, [3]) == nil)
        #expect(refusal(attributes, [], 3) == nil)
        #expect(refusal(attributes, [3], 3) == .invalidIndices)
        #expect(refusal(attributes, [2]) == .invalidIndices)
        #expect(refusal(attributes, [1]) == .invalidIndices)
        #expect(refusal(attributes, [], 4) == .invalidIndices)
        #expect(refusal([]) == .invalidAttributeCount)
        #expect(refusal([BigInteger](repeating: 1, count: 7)) == .invalidAttributeCount)
        #expect(refusal([1, -1]) == .invalidAttribute)
    }

    @Test func addsAllCommitmentsOrNone() throws {
        let builder = IdemixProofListBuilder(using: world.randomness)
        let foreign = try IdemixIssuanceRequest(
            publicKey: other.publicKey,
            attributes: try TestWorld.attributes(["b"]),
            keyshareP: 0
        )
        let first = try requests()[0]
        let error = refusal { () throws(IdemixError) in
            _ = try builder.addIssuance(of: [first, foreign], secretKey: world.secretKey)
        }
        #expect(error?.code == .notInvertible)
        #expect(error?.path == ["credentials[1]", "P"])
        #expect(try builder.contributions.isEmpty)
    }
}
