import CryptoCore
import DIDKit
import JSONKit
import LinkedDataKit
import TestSupport
import Testing

/// Documents of signed credentials with the N-Quads that others made of them, in safe mode.
@Suite(.enabled(if: VectorSet("oid4vp").isAvailable && VectorSet("json-ld").isAvailable, VectorSet.absence))
struct CredentialVectorTests {
    private static let vocabularies: Set<ExactText> = [Credentials.exampleVocabulary, "https://example.com/#"]

    private func canonicalText(_ document: JSONValue, _ processor: JSONLDProcessor) throws -> String {
        let options = JSONLDOptions(safeMode: SafeMode(acceptedVocabularies: Self.vocabularies))
        return String(decoding: try processor.toRDF(document, options: options).canonicalNQuads(), as: UTF8.self)
    }

    private func file(_ name: String) throws -> VectorFile { try #require(VectorSet("oid4vp").file(name)) }

    @Test func documentsOfDataIntegrityProofsHaveTheirCanonicalForm() throws {
        let file = try file("vc-di-eddsa.json")
        let processor = JSONLDProcessor(contexts: try Credentials.registry())
        let vectors = try #require(JSONValue(parsing: file.bytes())["vectors"]?.arrayValue)
        var ran = 0
        for vector in vectors where vector["canonicalization"]?.stringValue == "RDFC-1.0" {
            for (document, canonical) in [
                ("unsecuredDocument", "canonicalDocument"), ("proofConfig", "canonicalProofConfig"),
            ] {
                let text = try canonicalText(try #require(vector[document]), processor)
                #expect(text == vector[canonical]?.stringValue, "\(vector["id"] ?? nil) \(document)")
                ran += 1
            }
        }
        file.report(ran: ran)
    }

    @Test func documentsOfJSONWebSignature2020HaveTheirCanonicalForm() throws {
        let file = try file("ldp-jws2020.json")
        let processor = JSONLDProcessor(contexts: try Credentials.registry())
        let vectors = try #require(JSONValue(parsing: file.bytes())["vectors"]?.arrayValue)
        var ran = 0
        for vector in vectors {
            var document = try #require(vector["document"]?.objectValue)
            var proof = try #require(document.removeValue(forName: "proof")?.objectValue)
            proof["jws"] = nil
            proof["@context"] = document["@context"]
            let name = "\(vector["id"] ?? nil)"
            #expect(
                try canonicalText(.object(document), processor) == vector["canonicalDocument"]?.stringValue,
                "\(name)"
            )
            #expect(
                try canonicalText(.object(proof), processor) == vector["canonicalProofOptions"]?.stringValue,
                "\(name)"
            )
            ran += 1
        }
        file.report(ran: ran)
    }

    /// No credential of others is taken for one that its holder has written in another way.
    @Test func credentialsHaveTheFormThatReadersExpect() async throws {
        let processor = JSONLDProcessor(contexts: try Credentials.registry())
        let options = JSONLDOptions(
            safeMode: SafeMode(acceptedVocabularies: Self.vocabularies),
            rdfDirection: .i18nDatatype
        )
        let signer = try ProofScene.signer()
        var ran = 0
        for file in VectorSet("oid4vp").files(withExtension: "json") {
            for document in try Self.credentials(in: JSONValue(parsing: file.bytes())) {
                guard let content = try? W3CCredentialContent(json: document) else { continue }
                let prover = LinkedDataProver(processor: processor, options: options)
                let key = try ProofScene.options(for: signer.publicKey)
                // Some are examples with terms or contexts that nobody defines.
                guard
                    let signed = try? await prover.sign(document, suite: .eddsaRDFC2022, options: key, with: signer)
                else { continue }
                var policy = W3CCredentialPolicy(proofs: LinkedDataProofPolicy(linkedData: options), status: .waived)
                policy.controllers = [content.issuer.id: [key.verificationMethod.did]]
                let verifier = W3CCredentialVerifier(
                    policy: policy,
                    trust: .issuers([content.issuer.id]),
                    processor: processor,
                    clock: { ProofScene.now }
                )
                let verification = await verifier.verify(VerifiableCredential(.linkedData(signed)))
                #expect(verification.results(of: .claims).map(\.outcome) == [.passed], "\(verification.checks)")
                ran += 1
            }
        }
        #expect(ran > 0)
    }

    /// The credentials anywhere in a file, without their proofs.
    private static func credentials(in value: JSONValue) -> [JSONObject] {
        var credentials: [JSONObject] = []
        var pending = [value]
        while let value = pending.popLast() {
            pending += value.arrayValue ?? []
            guard var object = value.objectValue else { continue }
            pending += object.map(\.value)
            let types = object["type"].map { $0.arrayValue ?? [$0] } ?? []
            guard object.contains("@context"), types.contains("VerifiableCredential") else { continue }
            object["proof"] = nil
            credentials.append(object)
        }
        return credentials
    }
}
