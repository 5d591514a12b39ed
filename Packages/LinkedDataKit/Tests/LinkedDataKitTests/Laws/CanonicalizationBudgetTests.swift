import CryptoCore
import DIDKit
import JSONKit
import LinkedDataKit
import Testing

/// The limits of canonicalization, which all canonicalizations of one verification share.
struct CanonicalizationBudgetTests {
    /// A limit that counts work, with a value that is enough for every test.
    private static let limits: [(limits: @Sendable (Int) -> CanonicalizationLimits, most: Int)] = [
        ({ CanonicalizationLimits(size: $0) }, 1 << 20), ({ CanonicalizationLimits(hashCalls: $0) }, 1024),
    ]

    /// The least limit under which something verifies; one less does not.
    private func least(
        _ limits: (Int) -> CanonicalizationLimits,
        below most: Int,
        _ isVerified: (CanonicalizationLimits) async throws -> Bool
    ) async throws -> Int {
        var bounds = (low: 0, high: most)
        while bounds.low < bounds.high {
            let middle = (bounds.low + bounds.high) / 2
            if try await isVerified(limits(middle)) { bounds.high = middle } else { bounds.low = middle + 1 }
        }
        return bounds.low
    }

    private func verifier(_ scene: CredentialScene, _ limits: CanonicalizationLimits) throws -> W3CCredentialVerifier {
        try scene.verifier { $0.proofs?.canonicalization = limits }
    }

    @Test func arePresentationAndCredentialsTogether() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        let first = try await scene.credential()
        let second = try await scene.credential { $0["credentialSubject"] = ["degree": ["degree": "Master"]] }
        let presentation = try await scene.presentation(of: [first, second])
        guard case .linkedData(let document) = presentation.form else { return }
        let expectation = LinkedDataExpectation(
            purpose: .authentication,
            challenge: CredentialScene.nonce,
            domain: CredentialScene.audience
        )
        for (limits, most) in Self.limits {
            let holders = try await least(limits, below: most) { limits in
                await ProofScene.verifier(LinkedDataProofPolicy(canonicalization: limits))
                    .verify(document, expecting: expectation).verified != nil
            }
            var parts = holders
            for credential in [first, second] {
                let own = try await least(limits, below: most) { limits in
                    try await verifier(scene, limits).verify(credential).verified != nil
                }
                #expect(own > 0)
                parts += own
            }
            let whole = try await least(limits, below: most) { limits in
                try await verifier(scene, limits).verify(presentation, expecting: CredentialScene.expectation)
                    .parts.allSatisfy { $0.verification.verified != nil }
            }
            #expect(whole == parts)
            let refused = try await verifier(scene, limits(whole - 1)).verify(
                presentation,
                expecting: CredentialScene.expectation
            )
            #expect(refused.refusal?.reason == .limitExceeded)
        }
    }

    @Test func areAllProofsOfADocumentTogether() async throws {
        let one = try await ProofScene.signed()
        let two = try await ProofScene.signed(one.unverifiedMembers)
        for (limits, most) in Self.limits {
            var needed: [Int] = []
            for document in [one, two] {
                needed.append(
                    try await least(limits, below: most) { limits in
                        await ProofScene.verifier(LinkedDataProofPolicy(canonicalization: limits))
                            .verify(document, expecting: LinkedDataExpectation()).verified != nil
                    }
                )
            }
            #expect(needed[0] < needed[1] && needed[1] <= 2 * needed[0])
        }
    }

    /// A verifier begins anew with each verification.
    @Test func areAnewForEachVerification() async throws {
        let signed = try await ProofScene.signed()
        let (limits, most) = Self.limits[0]
        let least = try await least(limits, below: most) { limits in
            await ProofScene.verifier(LinkedDataProofPolicy(canonicalization: limits))
                .verify(signed, expecting: LinkedDataExpectation()).verified != nil
        }
        let verifier = ProofScene.verifier(
            LinkedDataProofPolicy(canonicalization: limits(least))
        )
        for _ in 0..<3 {
            #expect(await verifier.verify(signed, expecting: LinkedDataExpectation()).verified != nil)
        }
    }
}
