import CryptoCore
import JSONKit
import LinkedDataKit
import Testing
import VerificationCore

/// JSON without contexts, which the suites over canonical JSON sign as it is (Data Integrity EdDSA and ECDSA Cryptosuites
/// 1.0, sections 3.3).
struct PlainJSONTests {
    private static let document: JSONObject = ["order": 7, "lines": [["article": "a", "note": .null], []], "@id": 1]

    private func verify(_ document: SecuredDocument) async -> Verification<VerifiedSecuredDocument> {
        await ProofScene.verifier().verify(document, expecting: LinkedDataExpectation())
    }

    @Test(arguments: [(LinkedDataProofSuite.eddsaJCS2022, EllipticCurve.ed25519), (.ecdsaJCS2019, .p256)])
    func verifiesWhatTheJCSSuitesSign(suite: LinkedDataProofSuite, curve: EllipticCurve) async throws {
        let signer = try ProofScene.signer(curve)
        let first = try await ProofScene.signed(Self.document, suite: suite, with: signer) { $0.id = "urn:uuid:1" }
        let chain = try await ProofScene.signed(first.unverifiedMembers, suite: suite, with: signer) { options in
            options.previousProofs = ["urn:uuid:1"]
        }
        for (signed, count) in [(first, 1), (chain, 2)] {
            let verification = await verify(signed)
            let verified = try #require(verification.verified, "\(String(describing: verification.refusal))")
            #expect(verified.document == Self.document)
            #expect(verified.expanded == nil)
            #expect(verified.proofs.count == count)
            let check = verification.checks.first { $0.check == .linkedData }
            guard case .notApplicable? = check?.outcome else {
                Issue.record("\(String(describing: check?.outcome))")
                continue
            }
        }
    }

    @Test func reportsAFaultOfTheDocumentOutsideOfItsProofs() async throws {
        let huge: JSONObject = ["order": try JSONValue(parsing: Array("1e999".utf8))]
        await #expect { _ = try await ProofScene.signed(huge, suite: .eddsaJCS2022) } throws: {
            let error = $0 as? LinkedDataError
            return error?.code == .malformedDocument && error?.path.isEmpty == true
        }
    }

    @Test func refusesChanges() async throws {
        let signed = try await ProofScene.signed(Self.document, suite: .eddsaJCS2022)
        let changes: [(inout JSONObject) -> Void] = [
            { $0["order"] = 8 }, { $0["order"] = nil }, { $0["other"] = .null }, { $0["lines"] = [] },
        ]
        for change in changes {
            #expect(await verify(try signed.changed { change(&$0) }).refusal?.reason == .invalidSignature)
        }
    }

    /// A context makes JSON-LD of a document, and each of its terms needs a meaning.
    @Test func refusesContextsThatAreAddedLater() async throws {
        let signed = try await ProofScene.signed(["order": 7], suite: .eddsaJCS2022)
        let bare = try signed.changed { $0["@context"] = [] }
        #expect(await verify(bare).refusal?.check == .linkedData)
        let defined = try signed.changed { $0["@context"] = ["order": "https://example.org/order"] }
        #expect(await verify(defined).refusal?.reason == .invalidSignature)
        let named = try signed.changedProof { $0["@context"] = [] }
        #expect(await verify(named).refusal?.reason == "invalidProof")
    }

    @Test func refusesProofsOverTheGraphOfADocumentWithoutContexts() async throws {
        await #expect { _ = try await ProofScene.signed(Self.document, suite: .eddsaRDFC2022) } throws: {
            ($0 as? LinkedDataError)?.code == .droppedTerm
        }
        let signed = try await ProofScene.signed(["order": 7], suite: .eddsaJCS2022)
        let other = try signed.changed { members in
            members["proof"] = .array([
                members["proof"] ?? .null, ["type": "Ed25519Signature2020", "proofValue": "z1"],
            ])
        }
        #expect(await verify(other).refusal?.check == .linkedData)
    }

    /// A credential has the context of its data model, whatever its suite.
    @Test func refusesACredentialWithoutContexts() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        var members = try scene.members()
        members["@context"] = nil
        let signed = try await ProofScene.signed(members, suite: .eddsaJCS2022, with: scene.issuer)
        #expect(await verify(signed).verified != nil)
        let verification = try await scene.verifier().verify(VerifiableCredential(.linkedData(signed)))
        #expect(verification.refusal?.check == .structure)
        #expect(verification.refusal?.path == ["@context"])
    }
}
