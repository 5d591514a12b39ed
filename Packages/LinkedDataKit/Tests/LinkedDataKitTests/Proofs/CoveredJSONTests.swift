import CryptoCore
import JSONKit
import LinkedDataKit
import Testing
import VerificationCore

/// JSON-LD whose proofs cover the JSON itself, with what leaves no trace in its graph.
struct CoveredJSONTests {
    private static let terms: JSONValue = [
        "id": "@id", "name": "https://example.org/name", "notes": "https://example.org/notes",
    ]
    private static let others: JSONValue = ["name": "https://example.org/fullName"]

    /// Documents that JSON-LD 1.1 reads, and that a proof over the graph does not cover.
    static let documents: [JSONObject] = [
        ["@context": terms, "id": "urn:a", "name": "A", "notes": nil],
        ["@context": terms, "id": "urn:a", "name": "A", "notes": []],
        ["@context": terms, "id": "urn:a", "name": ["A", nil]],
        ["@context": [terms, others], "id": "urn:a", "name": "A"],
    ]

    private func verify(_ document: SecuredDocument) async -> Verification<VerifiedSecuredDocument> {
        await ProofScene.verifier().verify(document, expecting: LinkedDataExpectation())
    }

    @Test(arguments: documents, [LinkedDataProofSuite.eddsaJCS2022, .ecdsaJCS2019])
    func takesEmptyValuesAndRedefinitions(_ document: JSONObject, suite: LinkedDataProofSuite) async throws {
        let signer = try ProofScene.signer(suite == .ecdsaJCS2019 ? .p256 : .ed25519)
        let signed = try await ProofScene.signed(document, suite: suite, with: signer)
        let verification = await verify(signed)
        let verified = try #require(verification.verified, "\(String(describing: verification.refusal))")
        #expect(verified.document == document)
        #expect(verified.expanded?.value.arrayValue?.count == 1)
        let input = try ProofScene.verifier().input(ofProofAt: 0, in: signed)
        #expect(!input.canonicalDocument.isEmpty)
    }

    @Test func readsTheLaterMeaning() async throws {
        let signed = try await ProofScene.signed(Self.documents[3], suite: .eddsaJCS2022)
        let expanded = try #require(await verify(signed).verified?.expanded)
        #expect(expanded.value[0]?["https://example.org/fullName"]?[0]?["@value"] == "A")
    }

    @Test func refusesThemUnderAProofOverTheGraph() async throws {
        for document in Self.documents {
            await #expect { _ = try await ProofScene.signed(document, suite: .eddsaRDFC2022) } throws: {
                let code = ($0 as? LinkedDataError)?.code
                return code == .droppedTerm || code == .termRedefinition
            }
            let signed = try await ProofScene.signed(document, suite: .eddsaJCS2022)
            let other = try signed.changed { members in
                members["proof"] = .array([
                    members["proof"] ?? .null, ["type": "Ed25519Signature2020", "proofValue": "z1"],
                ])
            }
            #expect(await verify(other).refusal?.check == .linkedData)
        }
    }

    /// The values are covered: adding or removing one breaks the signature.
    @Test func refusesEmptyValuesThatAreAddedLater() async throws {
        let signed = try await ProofScene.signed(
            ["@context": Self.terms, "id": "urn:a", "name": "A"],
            suite: .eddsaJCS2022
        )
        for value in [JSONValue.null, []] {
            #expect(await verify(try signed.changed { $0["notes"] = value }).refusal?.reason == .invalidSignature)
        }
    }

    /// A context behind those of the proof must leave the meaning as it is, and is no part of what was verified.
    @Test func refusesRedefinitionsThatAreAddedLater() async throws {
        let document: JSONObject = ["@context": Self.terms, "id": "urn:a", "name": "A", "notes": nil]
        let signed = try await ProofScene.signed(document, suite: .eddsaJCS2022)
        let used = try signed.changed { $0["@context"] = [Self.terms, Self.others] }
        #expect(await verify(used).refusal?.check == .proofs)
        let unused = try signed.changed { $0["@context"] = [Self.terms, ["notes": "https://example.org/other"]] }
        #expect(await verify(unused).verified?.document == document)
    }

    @Test func takesRedefinitionsThatTheCallerAccepts() throws {
        let document = JSONValue.object(Self.documents[3])
        let accepting = JSONLDOptions(safeMode: SafeMode(acceptsRedefinitions: true))
        let processor = JSONLDProcessor()
        #expect(try processor.toRDF(document, options: accepting).count == 1)
        do {
            _ = try processor.toRDF(document)
            Issue.record("it was converted")
        } catch {
            #expect(error.code == .termRedefinition)
        }
    }
}
