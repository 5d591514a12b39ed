import CryptoCore
import DIDKit
import JSONKit
import LinkedDataKit
import TestSupport
import Testing

/// The figures of appendix A ("Test Vectors") of Data Integrity ECDSA Cryptosuites 1.0, for `ecdsa-rdfc-2019` and
/// `ecdsa-jcs-2019` with the curves P-256 and P-384.
struct ECDSAFigureTests {
    /// The figures of one representation.
    struct Figures: Sendable, CustomTestStringConvertible {
        let suite: LinkedDataProofSuite
        let curve: EllipticCurve
        let documentDigest: String
        let optionsDigest: String
        let proofValue: String

        var testDescription: String { "\(suite) with \(curve)" }

        /// The public key as printed.
        var key: String {
            curve == .p256
                ? "zDnaepBuvsQ8cpsWrVKw8fbpGpvPeNSjVPTWoq6cRqaYzBKVP"
                : "z82LkuBieyGShVBhvtE2zoiD6Kma4tJGFtkAhxR5pfkp5QPw4LutoYWhvQCnGjdVn14kujQ"
        }
    }

    static let figures = [
        Figures(
            suite: .ecdsaRDFC2019,
            curve: .p256,
            documentDigest: "517744132ae165a5349155bef0bb0cf2258fff99dfe1dbd914b938d775a36017",
            optionsDigest: "3a8a522f689025727fb9d1f0fa99a618da023e8494ac74f51015d009d35abc2e",
            proofValue: "zaHXrr7AQdydBk3ahpCDpWbxfLokDqmCToYm2dyWvpcFVyWooC2he63w1f7UNQoAMKdhaRtcnaE2KTo5o5vTCcfw"
        ),
        Figures(
            suite: .ecdsaRDFC2019,
            curve: .p384,
            documentDigest: "8bf6e01df72c5b62f91b685231915ac4b8c58ea95f002c6b8f6bfafa1b251df4"
                + "76b56b8e01518e317dab099d3ecbff96",
            optionsDigest: "e32805a26492eac777aa7a138f6d8da3c74e0c7be7b296dcaccf97420c3b92ea"
                + "ad7be6449ca565e165031567f5c7cbc1",
            proofValue: "z967Mvv5bxtmLNqTzPZ8KmJjFmFXaAKeQNzq7GWnQkMcLtaGSSmuozE5WtJ8PipMe178B1tE28K1vsJur9bGVJhz"
                + "6jgSJsRHFSQeqgH8hhjcg8gZDFJC1b9FsR5ggNmDBqHv"
        ),
        Figures(
            suite: .ecdsaJCS2019,
            curve: .p256,
            documentDigest: "59b7cb6251b8991add1ce0bc83107e3db9dbbab5bd2c28f687db1a03abc92f19",
            optionsDigest: "fe5799489119c7fe3c528715e72bd39d2ec6b4ab345978df32e9a9312648ec25",
            proofValue: "z5ptCet75SaEgzG4v4zJhbJtfNi74Wv7Fq15hhKouJQQjEPQvPZKaYxcMXAMLPQS2FXrkCWokNJkFVkwxNzZfD5oT"
        ),
        Figures(
            suite: .ecdsaJCS2019,
            curve: .p384,
            documentDigest: "3e0be671cc1881035d463158c80921973dab3534d4f8dfacf4ff2725a4115eb7"
                + "18e49d66de0e90e7365cd6062abf2259",
            optionsDigest: "83e5057817abb0c6872eafeaba1a9e53893c58eeb7414fb6d8aa3fa8c7917f7a"
                + "d4792890b257c598baa17f4fbe6d183c",
            proofValue: "zq3EuTeLiGurmB2JR5oL8oWEsT7u2tba4HT1oZbiMYWc5qzsoW2kLYcBcF4HM5vCpJyTkceULKrVXuJQkXeN5seL"
                + "4uXrFNFRMm53GWy1Yrto8rTWxZi9DkNeWP7yUPs7ELAm"
        ),
    ]

    private static let contexts: JSONValue = [
        "https://www.w3.org/ns/credentials/v2", "https://www.w3.org/ns/credentials/examples/v2",
    ]

    private static let document: JSONObject = [
        "@context": contexts,
        "id": "urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33",
        "type": ["VerifiableCredential", "AlumniCredential"],
        "name": "Alumni Credential",
        "description": "A minimum viable example of an Alumni Credential.",
        "issuer": "https://vc.example/issuers/5678",
        "validFrom": "2023-01-01T00:00:00Z",
        "credentialSubject": ["id": "did:example:abcdefgh", "alumniOf": "The School of Examples"],
    ]

    private func secured(_ figures: Figures) throws -> SecuredDocument {
        let did = "did:key:" + figures.key
        var proof: JSONObject = [
            "type": "DataIntegrityProof",
            "cryptosuite": .string(figures.suite.cryptosuite?.text ?? ""),
            "created": "2023-02-24T23:36:38Z",
            "verificationMethod": .string(did + "#" + figures.key),
            "proofPurpose": "assertionMethod",
            "proofValue": .string(figures.proofValue),
        ]
        if figures.suite == .ecdsaJCS2019 { proof["@context"] = Self.contexts }
        var members = Self.document
        members["proof"] = .object(proof)
        return try SecuredDocument(json: members)
    }

    private func verifier() throws -> LinkedDataVerifier {
        // The context of the examples gives every undefined term an IRI of their vocabulary.
        let examples: JSONValue = ["@context": ["@vocab": .string(Credentials.exampleVocabulary.text)]]
        let bytes = examples.encoded()
        var contexts = ContextRegistry.builtIn
        try contexts.add(
            bytes,
            at: "https://www.w3.org/ns/credentials/examples/v2",
            sha256: HashAlgorithm.sha256.digest(of: bytes)
        )
        let options = JSONLDOptions(safeMode: SafeMode(acceptedVocabularies: [Credentials.exampleVocabulary]))
        return LinkedDataVerifier(
            policy: LinkedDataProofPolicy(linkedData: options),
            processor: JSONLDProcessor(contexts: contexts),
            clock: { ProofScene.now }
        )
    }

    @Test(arguments: figures)
    func agreesWithTheFigures(_ figures: Figures) async throws {
        let (document, verifier) = (try secured(figures), try verifier())
        let hash: HashAlgorithm = figures.curve == .p256 ? .sha256 : .sha384
        let input = try verifier.input(ofProofAt: 0, in: document, using: hash)
        #expect(input.documentDigest.hex == figures.documentDigest)
        #expect(input.optionsDigest.hex == figures.optionsDigest)
        let verification = await verifier.verify(document, expecting: LinkedDataExpectation())
        let verified = try #require(verification.verified, "\(String(describing: verification.refusal))")
        #expect(verified.document == Self.document)
        #expect(try Multikey(#require(verified.proofs.first).publicKey).text == figures.key)
    }

    @Test(arguments: figures)
    func refusesTheFiguresOfAnotherDocument(_ figures: Figures) async throws {
        let changed = try secured(figures).changed { $0["name"] = "Alumna Credential" }
        let verification = await (try verifier()).verify(changed, expecting: LinkedDataExpectation())
        #expect(verification.refusal?.reason == .invalidSignature)
    }
}
