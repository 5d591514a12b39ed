import CryptoCore
import DIDKit
import Foundation
import JSONKit
import LinkedDataKit
import Testing

/// Bounds of verification, and what it says of a proof's input.
struct ProofLimitTests {
    @Test func refusesDocumentsThatTakeTooLongToCanonicalize() async throws {
        let signed = try await ProofScene.signed()
        let policy = LinkedDataProofPolicy(canonicalization: CanonicalizationLimits(quads: 3))
        let verification = await ProofScene.verifier(policy).verify(signed, expecting: LinkedDataExpectation())
        #expect(verification.refusal(ofPart: "proof")?.check == .signature)
        #expect(verification.refusal(ofPart: "proof")?.reason == .limitExceeded)
    }

    @Test func refusesDocumentsThatTakeTooLongToExpand() async throws {
        let signed = try await ProofScene.signed()
        var options = JSONLDOptions.default
        options.limits.depth = 1
        let verification = await ProofScene.verifier(LinkedDataProofPolicy(linkedData: options))
            .verify(signed, expecting: LinkedDataExpectation())
        #expect(verification.refusal?.check == .linkedData)
        #expect(verification.refusal?.reason == .limitExceeded)
    }

    @Test func toleratesTheClockSkewOfThePolicyOnly() async throws {
        let signed = try await ProofScene.signed { $0.created = ProofScene.now.addingTimeInterval(90) }
        for (skew, isVerified) in [(90.0, true), (89, false)] {
            let verifier = ProofScene.verifier(LinkedDataProofPolicy(clockSkew: skew))
            let verification = await verifier.verify(signed, expecting: LinkedDataExpectation())
            #expect((verification.verified != nil) == isVerified)
        }
    }

    @Test func saysWhatAProofSigns() async throws {
        let signed = try await ProofScene.signed()
        let verifier = ProofScene.verifier()
        let input = try verifier.input(ofProofAt: 0, in: signed)
        #expect(input.hashData == input.optionsDigest + input.documentDigest)
        #expect(input.documentDigest == HashAlgorithm.sha256.digest(of: input.canonicalDocument))
        #expect(try verifier.input(ofProofAt: 0, in: signed, using: .sha384).hashData.count == 96)
        for index in [-1, 1] {
            #expect { try verifier.input(ofProofAt: index, in: signed) } throws: {
                ($0 as? LinkedDataError)?.code == .invalidProof
            }
        }
        let unknown = try signed.changedProof { $0["cryptosuite"] = "bbs-2023" }
        #expect { try verifier.input(ofProofAt: 0, in: unknown) } throws: {
            ($0 as? LinkedDataError)?.code == .unsupportedSuite
        }
    }

    /// A loader whose task is cancelled.
    private struct CancelledLoader: ContextLoader {
        func loadContext(at url: String) async throws -> LoadedContext { throw CancellationError() }
    }

    @Test func saysThatACancelledVerificationWasNotMade() async throws {
        var contexts = ContextRegistry.builtIn
        contexts.allow("https://example.org/v1", sha256: [])
        let signed = try await ProofScene.signed().changed { members in
            members["@context"] = ["https://www.w3.org/ns/credentials/v2", "https://example.org/v1"]
        }
        let processor = JSONLDProcessor(contexts: contexts, loader: CancelledLoader())
        let verifier = LinkedDataVerifier(processor: processor, clock: { ProofScene.now })
        let verification = await verifier.verify(signed, expecting: LinkedDataExpectation())
        #expect(verification.refusal?.check == .linkedData)
        #expect(verification.refusal?.isUnavailable == true)
    }
}
