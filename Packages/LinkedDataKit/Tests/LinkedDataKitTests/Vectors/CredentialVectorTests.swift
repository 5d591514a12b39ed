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
}
