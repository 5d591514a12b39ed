import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// Credentials and secret keys that are stored and read again.
@Suite struct StorageTests {
    let world: TestWorld
    let credential: IdemixCredential
    let revocable: IdemixCredential

    init() throws {
        world = try TestWorld()
        credential = try world.issue(try TestWorld.attributes(["a", nil]))
        let authority = try RevocationAuthority(keys: world.keys, at: TestWorld.time, using: world.randomness)
        revocable = try world.issue(try TestWorld.attributes(["a"]), authority: authority)
    }

    private func expectSame(_ read: IdemixCredential, _ credential: IdemixCredential) throws {
        #expect(read.signature == credential.signature)
        #expect(read.attributes == credential.attributes)
        #expect(read.witness == credential.witness)
        #expect(read.encoded() == credential.encoded())
    }

    @Test func readsCredentialsWithAndWithoutVerifyingThem() throws {
        let share = KeyshareSecret.random(using: world.randomness).share(for: world.publicKey)
        let shared = try Self.issue(world, keyshareP: share)
        for credential in [credential, revocable, shared] {
            let stored = credential.encoded()
            let (key, secretKey) = (world.publicKey, world.secretKey)
            try expectSame(IdemixCredential(decoding: stored, publicKey: key, secretKey: secretKey), credential)
            let trusted = try IdemixCredential(decodingVouchedFor: stored.exposed, publicKey: key, secretKey: secretKey)
            try expectSame(trusted, credential)
        }
    }

    private static func issue(_ world: TestWorld, keyshareP: BigInteger) throws -> IdemixCredential {
        let builder = IdemixProofListBuilder(using: world.randomness)
        let pending = try builder.addIssuance(
            publicKey: world.publicKey,
            secretKey: world.secretKey,
            keyshareP: keyshareP
        )
        let attributes = try TestWorld.attributes(["a"])
        let U = try builder.prove(nonce: 1).firstIssuance().U
        let issued = try IdemixIssuer(keys: world.keys, using: world.randomness)
            .sign(attributes: attributes, commitment: U, nonce: 2)
        return try pending.finish(with: issued, attributes: attributes, nonce: 2)
    }

    @Test func storedCredentialsCanBeShown() throws {
        let read = try IdemixCredential(
            decodingVouchedFor: revocable.encoded(),
            publicKey: world.publicKey,
            secretKey: world.secretKey
        )
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(IdemixDisclosureRequest(read, disclosing: [2], provingNonRevocation: true))
        let expectation = IdemixDisclosureExpectation(publicKey: world.publicKey, nonRevocation: .required(index: 3))
        let list = try builder.prove(nonce: 42)
        #expect(list.verify(expecting: [.disclosure(expectation)], nonce: 42).verified != nil)
    }

    @Test func keepsANegativeExponent() throws {
        // Half of all randomized signatures have one.
        var signature = credential.signature
        while !signature.v.isNegative {
            signature = signature.randomized(publicKey: world.publicKey, using: world.randomness)
        }
        let negative = try IdemixCredential(
            publicKey: world.publicKey,
            signature: signature,
            secretKey: world.secretKey,
            attributes: credential.attributes
        )
        try expectSame(
            IdemixCredential(decoding: negative.encoded(), publicKey: world.publicKey, secretKey: world.secretKey),
            negative
        )
    }

    @Test func verifiesOnlyWhereTheStoreIsNotVouchedFor() throws {
        let stored = credential.encoded()
        let stranger = IdemixHolderSecretKey.random()
        #expect(
            code { _ = try IdemixCredential(decoding: stored, publicKey: world.publicKey, secretKey: stranger) }
                == .invalidSignature
        )
        #expect(
            code {
                _ = try IdemixCredential(decodingVouchedFor: stored, publicKey: world.publicKey, secretKey: stranger)
            }
                == nil
        )
    }

    @Test func refusesOtherKeysAndForms() throws {
        let stored = credential.encoded().exposed
        let foreign = try TestWorld(.bits2048).publicKey
        func refusals(_ bytes: some ContiguousBytes, _ key: IdemixIssuerPublicKey? = nil) -> [IdemixError.Code?] {
            let (key, secretKey) = (key ?? world.publicKey, world.secretKey)
            return [
                code { _ = try IdemixCredential(decoding: bytes, publicKey: key, secretKey: secretKey) },
                code { _ = try IdemixCredential(decodingVouchedFor: bytes, publicKey: key, secretKey: secretKey) },
            ]
        }
        #expect(refusals(stored, foreign) == [.keyPairMismatch, .keyPairMismatch])
        #expect(refusals(stored.dropLast()) == [.malformedCBOR, .malformedCBOR])
        #expect(refusals(Data()) == [.malformedCBOR, .malformedCBOR])
        #expect(refusals(stored + [0]) == [.malformedCBOR, .malformedCBOR])
    }

    /// Whatever the bytes are, reading ends with a credential or an error, and a vouched one can be used.
    @Test func damagedCredentialsAreRefusedOrHarmless() throws {
        let bytes = revocable.encoded().exposed
        var mutator = Mutator(seed: 8)
        for _ in 0..<150 {
            let damaged = mutator.mutate(bytes)
            let (key, secretKey) = (world.publicKey, world.secretKey)
            if let read = try? IdemixCredential(decoding: damaged, publicKey: key, secretKey: secretKey) {
                #expect(read.attributes == revocable.attributes)
            }
            guard
                let vouched = try? IdemixCredential(decodingVouchedFor: damaged, publicKey: key, secretKey: secretKey),
                vouched.attributes.count >= 2
            else { continue }
            let builder = IdemixProofListBuilder(using: world.randomness)
            try builder.add(
                IdemixDisclosureRequest(vouched, disclosing: [2], provingNonRevocation: vouched.witness != nil)
            )
            _ = try builder.prove(nonce: 1)
        }
    }

    @Test func secretKeysAreThirtyTwoBytes() throws {
        for number in [BigInteger(0), 1, .powerOfTwo(256) - 1] {
            let key = try IdemixHolderSecretKey(number)
            #expect(key.encodedBytes.count == 32)
            #expect(try IdemixHolderSecretKey(decoding: key.encodedBytes).secretInteger == number)
            let share = try KeyshareSecret(number)
            #expect(try KeyshareSecret(decoding: share.encodedBytes.exposed[...]).secretInteger == number)
        }
        for count in [0, 31, 33] {
            #expect(
                code { _ = try IdemixHolderSecretKey(decoding: [UInt8](repeating: 0, count: count)) } == .outOfRange
            )
            #expect(code { _ = try KeyshareSecret(decoding: Data(count: count)) } == .outOfRange)
        }
    }
}
