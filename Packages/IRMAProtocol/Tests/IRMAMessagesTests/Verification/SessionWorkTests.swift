import Foundation
import IRMAMessages
import IdemixCore
import Testing

/// The work of verifying large sessions, counted against the default limits of a list of proofs.
@Suite struct SessionWorkTests {
    /// Returns `true` if a list of so many proofs is not refused for its size.
    private func isAdmitted(
        _ count: Int,
        _ list: IdemixProofList,
        _ expectation: IdemixProofExpectation
    ) throws -> Bool {
        let proof = try #require(list.proofs.first)
        let verification = IdemixProofList(Array(repeating: proof, count: count)).verify(
            expecting: Array(repeating: expectation, count: count),
            challenge: IdemixChallenge(nonce: 1),
            at: Scene.now,
            limits: DisclosurePolicy().limits
        )
        guard case .refused(let refusal) = verification.verdict else { return true }
        return refusal.reason != .limitExceeded
    }

    /// The commitment to a credential of a key with a modulus of some length, of which nothing is secret.
    private func commitment(
        bits: Int,
        blindIndices: Set<Int> = []
    ) throws -> (IdemixProofList, IdemixProofExpectation) {
        let elements = IdemixKeyElements(
            n: BigInteger(bytes: [0x80] + [UInt8](repeating: 0, count: bits / 8 - 2) + [3]),
            Z: 4,
            S: 16,
            R: [64, 256, 1024, 4096]
        )
        let key = try IdemixIssuerPublicKey(counter: 0, expiryDate: Scene.now + 1e8, elements: elements)
        let builder = IdemixProofListBuilder()
        _ = try builder.addIssuance(publicKey: key, secretKey: .random(), blindIndices: blindIndices)
        let expectation = IdemixIssuanceExpectation(publicKey: key, blindIndices: blindIndices)
        return (try builder.prove(challenge: IdemixChallenge(nonce: 1)), .issuance(expectation))
    }

    @Test(arguments: [1024, 2048]) func admitsTheLargestIssuance(bits: Int) throws {
        let (list, expectation) = try commitment(bits: bits)
        #expect(try isAdmitted(SessionRequest.maximumCredentials, list, expectation))
        #expect(try !isAdmitted(SessionRequest.maximumCredentials + 1, list, expectation))
    }

    /// Where the work is the tighter limit.
    @Test(arguments: [(4096, [], 79), (2048, [2], 99), (2048, [2, 3], 90)] as [(Int, [Int], Int)])
    func admitsFewerDearCommitments(bits: Int, blindIndices: [Int], count: Int) throws {
        let (list, expectation) = try commitment(bits: bits, blindIndices: Set(blindIndices))
        #expect(try isAdmitted(count, list, expectation))
        #expect(try !isAdmitted(count + 1, list, expectation))
    }
}
