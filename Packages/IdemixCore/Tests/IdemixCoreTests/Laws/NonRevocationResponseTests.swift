import CredentialTesting
import CryptoCore
import IdemixCore
import Synchronization
import TestSupport
import Testing

/// The Go verifier takes a response below 2^580 for that of the revocation attribute, so that no other may be there.
@Suite struct NonRevocationResponseTests {
    /// Draws of which every other one of the randomizers' length has its twelve most significant bits cleared.
    private final class SmallDraws: RandomSource {
        private let base = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 5))
        private let count = Mutex(0)
        private let length = IdemixSystemParameters.bits1024.attributeCommitment / 8

        /// The number of draws of the randomizers' length.
        var draws: Int { count.withLock { $0 } }

        func bytes(_ count: Int) -> [UInt8] {
            var bytes = base.bytes(count)
            guard count == length else { return bytes }
            let isSmall = self.count.withLock { count in
                count += 1
                return count % 2 == 1
            }
            if isSmall { (bytes[0], bytes[1]) = (0, bytes[1] & 0x0f) }
            return bytes
        }
    }

    private let world: TestWorld
    private let credential: IdemixCredential

    init() throws {
        world = try TestWorld()
        let authority = try RevocationAuthority(keys: world.keys, at: TestWorld.time, using: world.randomness)
        credential = try world.issue(try TestWorld.attributes(["a", nil, "c"]), authority: authority)
    }

    private func prove(
        _ requests: [IdemixDisclosureRequest],
        using randomness: some RandomSource
    ) throws -> [IdemixDisclosureProof] {
        let builder = IdemixProofListBuilder(using: randomness)
        for request in requests { try builder.add(request) }
        return try builder.prove(nonce: 42).proofs.map { proof in
            guard case .disclosure(let disclosure) = proof else { throw TestFailure("no disclosure") }
            return disclosure
        }
    }

    private func isSmall(_ response: BigInteger) -> Bool { response < .powerOfTwo(580) }

    @Test func onlyTheRevocationAttributeHasASmallResponse() throws {
        let randomness = SmallDraws()
        let request = try IdemixDisclosureRequest(credential, disclosing: [], provingNonRevocation: true)
        let proof = try prove([request], using: randomness)[0]
        #expect(proof.attributeResponses.filter { isSmall($0.value) }.keys.sorted() == [5])
        // The secret key's, those of three attributes, and the one that the proof of non-revocation replaces, twice each.
        #expect(randomness.draws == 2 * 5)
        let expectation = IdemixDisclosureExpectation(publicKey: world.publicKey, nonRevocation: .required(index: 5))
        let verdict = IdemixProofList([.disclosure(proof)]).verify(expecting: [.disclosure(expectation)], nonce: 42)
        #expect(verdict.verified != nil)
    }

    @Test func theSecretKeysResponseIsLargeWhicheverProofComesFirst() throws {
        let plain = try IdemixDisclosureRequest(credential, disclosing: [1, 2, 3, 4, 5])
        let request = try IdemixDisclosureRequest(credential, disclosing: [], provingNonRevocation: true)
        let proofs = try prove([plain, request], using: SmallDraws())
        #expect(proofs[0].attributeResponses.keys.sorted() == [0])
        #expect(proofs.allSatisfy { $0.attributeResponses[0].map { !isSmall($0) } ?? false })
        #expect(proofs[1].attributeResponses.filter { isSmall($0.value) }.keys.sorted() == [5])
    }

    @Test func drawsOnceWithoutAProofOfNonRevocation() throws {
        let randomness = SmallDraws()
        let proof = try prove([IdemixDisclosureRequest(credential, disclosing: [])], using: randomness)[0]
        // The secret key's twice, since a proof of non-revocation could share it, and those of four attributes.
        #expect(randomness.draws == 2 + 4)
        #expect(!isSmall(try #require(proof.attributeResponses[0])))
    }

    @Test func evenARepeatingSourceGivesNoSmallResponse() throws {
        let request = try IdemixDisclosureRequest(credential, disclosing: [], provingNonRevocation: true)
        let proof = try prove([request], using: ConstantSource(byte: 0))[0]
        #expect(proof.attributeResponses.filter { isSmall($0.value) }.keys.sorted() == [5])
    }
}
