import CryptoCore
import IdemixCore
import TestSupport
import Testing

/// A builder that lives in an actor and outlasts an `await`, and answers once.
@Suite struct IdemixProofListBuilderTests {
    let world: TestWorld

    init() throws {
        world = try TestWorld()
    }

    /// A wallet whose keyshare server answers some time later.
    private actor Wallet {
        private let builder = IdemixProofListBuilder()

        func add(_ credential: IdemixCredential) throws {
            try builder.add(IdemixDisclosureRequest(credential, disclosing: [2]))
        }

        func prove(
            _ challenge: IdemixChallenge,
            asking server: @Sendable ([IdemixProofContributions]) async throws -> [Int: BigInteger]
        ) async throws -> IdemixProofList {
            let commitments = try await server(builder.contributions)
            return try builder.prove(challenge: challenge, keyshareCommitments: commitments)
        }
    }

    @Test func isHeldAcrossAnAwait() async throws {
        let wallet = Wallet()
        try await wallet.add(try world.issue(try TestWorld.attributes(["a"])))
        let list = try await wallet.prove(IdemixChallenge(nonce: 5)) { contributions in
            await Task.yield()
            #expect(contributions.count == 1)
            return [:]
        }
        #expect(list.verify(expecting: [world.expectation], nonce: 5).verified != nil)
        await #expect(throws: IdemixError.self) { try await wallet.prove(IdemixChallenge(nonce: 6)) { _ in [:] } }
    }

    @Test func answersOneChallengeUnderConcurrency() async throws {
        let builder = IdemixProofListBuilder()
        try builder.add(IdemixDisclosureRequest(try world.issue(try TestWorld.attributes(["a"])), disclosing: [2]))
        let answers = await withTaskGroup(of: Bool.self) { group in
            for nonce in 1...20 {
                group.addTask { (try? builder.prove(challenge: IdemixChallenge(nonce: BigInteger(nonce)))) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(answers == 1)
    }

    @Test func refusesEverythingAfterItsAnswer() throws {
        let request = try IdemixDisclosureRequest(try world.issue(try TestWorld.attributes(["a"])), disclosing: [2])
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(request)
        _ = try builder.prove(nonce: 1)
        #expect(code { try builder.add(request) } == .commitmentUsed)
        let prepared = try PreparedIdemixDisclosure(request)
        #expect(code { try builder.add(prepared) } == .commitmentUsed)
        #expect(code { _ = try builder.contributions } == .commitmentUsed)
        #expect(
            code { _ = try builder.addIssuance(publicKey: world.publicKey, secretKey: world.secretKey) }
                == .commitmentUsed
        )
        #expect(code { _ = try builder.prove(nonce: 2) } == .commitmentUsed)
        // The refused builder did not use the prepared disclosure up.
        let second = IdemixProofListBuilder()
        try second.add(prepared)
        #expect(try second.contributions.count == 1)
    }

    @Test func namesTheKeyshareCommitmentThatDoesNotFit() throws {
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(IdemixDisclosureRequest(try world.issue(try TestWorld.attributes(["a"])), disclosing: [2]))
        func refusal(_ commitments: [Int: BigInteger]) -> IdemixError? {
            do throws(IdemixError) {
                _ = try builder.prove(nonce: 1, keyshareCommitments: commitments)
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal([1: 4])?.code == .keyshareMismatch)
        #expect(refusal([1: 4])?.path == ["proofs[1]"])
        for outside in [0, world.publicKey.elements.n, -1] as [BigInteger] {
            #expect(refusal([0: outside])?.code == .notInvertible)
            #expect(refusal([0: outside])?.path == ["proofs[0]", "Pcommit"])
        }
        // None of the refusals used the builder up.
        #expect(refusal([0: 4]) == nil)
        #expect(refusal([0: 4])?.code == .commitmentUsed)
    }
}
