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
        _ expectation: IdemixIssuanceExpectation,
        issuing issued: Int? = nil
    ) throws -> Bool {
        let proof = try #require(list.proofs.first)
        let limits = DisclosurePolicy().limits
        let verification = IdemixProofList(Array(repeating: proof, count: count)).verify(
            expecting: Array(repeating: .issuance(expectation), count: count),
            challenge: IdemixChallenge(nonce: 1),
            at: Scene.now,
            limits: issued.map { limits.admitting(Array(repeating: expectation, count: $0)) } ?? limits
        )
        guard case .refused(let refusal) = verification.verdict else { return true }
        return refusal.reason != .limitExceeded
    }

    /// The commitment to a credential of a key with a modulus of some length, of which nothing is secret.
    private func commitment(
        bits: Int,
        blindIndices: Set<Int> = []
    ) throws -> (IdemixProofList, IdemixIssuanceExpectation) {
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
        return (try builder.prove(challenge: IdemixChallenge(nonce: 1)), expectation)
    }

    /// The demands of the issuer itself are no reason to refuse the answer.
    @Test(arguments: [(1024, []), (2048, []), (4096, []), (2048, [2, 3]), (4096, [2, 3])] as [(Int, [Int])])
    func admitsTheLargestIssuance(bits: Int, blindIndices: [Int]) throws {
        let (list, expectation) = try commitment(bits: bits, blindIndices: Set(blindIndices))
        let largest = SessionRequest.maximumCredentials
        #expect(try isAdmitted(largest, list, expectation, issuing: largest))
        #expect(try !isAdmitted(largest + 1, list, expectation, issuing: largest + 1))
    }

    /// Where the work is the tighter limit.
    @Test(arguments: [(4096, [], 79), (2048, [2], 99), (2048, [2, 3], 90)] as [(Int, [Int], Int)])
    func admitsFewerDearCommitmentsThatNobodyAskedFor(bits: Int, blindIndices: [Int], count: Int) throws {
        let (list, expectation) = try commitment(bits: bits, blindIndices: Set(blindIndices))
        #expect(try isAdmitted(count, list, expectation))
        #expect(try !isAdmitted(count + 1, list, expectation))
    }

    /// The verifier of sessions makes the room itself.
    @Test func admitsTheLargestIssuanceOfASession() throws {
        let (list, expectation) = try commitment(bits: 4096)
        let count = SessionRequest.maximumCredentials
        let proofs = IdemixProofList(Array(repeating: try #require(list.proofs.first), count: count))
        let credentials = Array(repeating: CredentialRequest("a.b.c", attributes: [:]), count: count)
        let outcome = DisclosureVerifier(schemes: try SchemeSnapshot()).verify(
            proofs,
            indices: [],
            answering: SessionRequest(.issuing(credentials)),
            issuing: Array(repeating: expectation, count: count),
            at: Scene.now
        )
        #expect(
            outcome.verification.refusal?.reason != .limitExceeded,
            "\(String(describing: outcome.verification.refusal))"
        )
    }
}
