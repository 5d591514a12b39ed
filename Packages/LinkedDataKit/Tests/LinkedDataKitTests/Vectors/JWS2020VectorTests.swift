import CryptoCore
import DIDKit
import JSONKit
import LinkedDataKit
import TestSupport
import Testing

/// Credentials and presentations with JsonWebSignature2020 of four implementations.
@Suite(.enabled(if: VectorSet("oid4vp").isAvailable && VectorSet("json-ld").isAvailable, VectorSet.absence))
struct JWS2020VectorTests {
    private let file: VectorFile
    private let vectors: JSONValue
    private let verifier: LinkedDataVerifier

    init() throws {
        file = try #require(VectorSet("oid4vp").file("ldp-jws2020.json"))
        vectors = try JSONValue(parsing: file.bytes())
        let options = JSONLDOptions(safeMode: SafeMode(acceptedVocabularies: ["https://example.com/#"]))
        verifier = LinkedDataVerifier(
            policy: LinkedDataProofPolicy(linkedData: options),
            resolver: FixedDocuments(try VectorKeys.document(try #require(vectors["keys"]?.arrayValue))),
            processor: JSONLDProcessor(contexts: try Credentials.registry()),
            clock: { ProofScene.now }
        )
    }

    @Test func verifiesEachVector() async throws {
        var ran = 0
        for vector in try #require(vectors["vectors"]?.arrayValue) {
            let name = try #require(vector["id"]?.stringValue)
            let document = try SecuredDocument(decoding: try #require(vector["document"]).encoded())
            let input = try verifier.input(ofProofAt: 0, in: document)
            #expect(
                String(decoding: input.canonicalDocument, as: UTF8.self) == vector["canonicalDocument"]?.stringValue
            )
            #expect(
                String(decoding: input.canonicalOptions, as: UTF8.self) == vector["canonicalProofOptions"]?.stringValue
            )
            #expect(input.hashData.hex == vector["hashDataHex"]?.stringValue, "\(name)")
            let expectation = LinkedDataExpectation(
                purpose: try #require(document.proofs.first?.purpose),
                challenge: document.proofs.first?.challenge,
                domain: document.proofs.first?.domains.first
            )
            let verification = await verifier.verify(document, expecting: expectation)
            #expect(verification.verified != nil, "\(name): \(String(describing: verification.refusal))")

            let damaged = try document.changed { $0["type"] = ["VerifiableCredential", "VerifiablePresentation"] }
            let refusal = await verifier.verify(damaged, expecting: expectation).refusal
            #expect(refusal?.reason == .invalidSignature, "\(name)")
            ran += 1
        }
        file.report(ran: ran)
        #expect(ran == 60)
    }
}

/// The keys of vectors as the document of their DID.
enum VectorKeys {
    static func document(_ keys: [JSONValue]) throws -> DIDDocument {
        let did = try DID("did:example:123")
        let methods = try keys.map { key -> VerificationMethod in
            var members = try #require(key.objectValue)
            members["privateKeyJwk"] = nil
            return try VerificationMethod(json: members, of: did)
        }
        return DIDDocument(
            id: did,
            verificationMethods: methods,
            relationships: [.assertionMethod: methods.map(\.id), .authentication: methods.map(\.id)]
        )
    }
}
