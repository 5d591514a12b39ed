import CryptoCore
import JSONKit
import LinkedDataKit
import Testing

/// Language tags, whose letter case processors write in two ways.
struct LanguageTagTests {
    private let document: JSONObject = [
        "@context": "https://www.w3.org/ns/credentials/v2",
        "id": "urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33",
        "type": "VerifiableCredential",
        "issuer": "did:example:university",
        "name": [["@value": "Abschluss", "@language": "de-AT"], ["@value": "Degree", "@language": "en-us"]],
        "credentialSubject": ["id": "did:example:alice"],
    ]

    private func signed(_ languageTags: JSONLDOptions.LanguageTags) async throws -> SecuredDocument {
        let signer = try ProofScene.signer()
        return try await LinkedDataProver(options: JSONLDOptions(languageTags: languageTags))
            .sign(document, suite: .eddsaRDFC2022, options: ProofScene.options(for: signer.publicKey), with: signer)
    }

    @Test func becomeLowerCaseInRDF() throws {
        let dataset = try JSONLDProcessor().toRDF(.object(document))
        let text = String(decoding: try dataset.canonicalNQuads(), as: UTF8.self)
        #expect(text.contains(#""Abschluss"@de-at"#))
        let written = try JSONLDProcessor().toRDF(.object(document), options: JSONLDOptions(languageTags: .asWritten))
        #expect(String(decoding: try written.canonicalNQuads(), as: UTF8.self).contains(#""Abschluss"@de-AT"#))
    }

    @Test func verifyInBothForms() async throws {
        let usual = await ProofScene.verifier().verify(
            try await signed(.lowercased),
            expecting: LinkedDataExpectation()
        )
        #expect(usual.verified != nil)
        let other = await ProofScene.verifier().verify(try await signed(.asWritten), expecting: LinkedDataExpectation())
        #expect(other.verified != nil, "\(String(describing: other.refusal))")
        #expect(usual.allDeviations.isEmpty)
        #expect(other.allDeviations.map(\.tolerance) == ["languageTags"])
    }

    @Test func refuseAnotherText() async throws {
        for tags in [JSONLDOptions.LanguageTags.lowercased, .asWritten] {
            let changed = try await signed(tags).changed { $0["name"] = ["@value": "Abschluss", "@language": "de-CH"] }
            let verification = await ProofScene.verifier().verify(changed, expecting: LinkedDataExpectation())
            #expect(verification.refusal?.reason == .invalidSignature)
        }
    }
}
