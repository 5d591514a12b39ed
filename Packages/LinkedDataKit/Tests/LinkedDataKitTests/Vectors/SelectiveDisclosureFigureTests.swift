import CryptoCore
import DIDKit
import Foundation
import JSONKit
import LinkedDataKit
import TestSupport
import Testing

/// The figures of sections A.7 and A.8 of Data Integrity ECDSA Cryptosuites 1.0, for `ecdsa-sd-2023`.
struct SelectiveDisclosureFigureTests {
    private static let issuer = "zDnaepBuvsQ8cpsWrVKw8fbpGpvPeNSjVPTWoq6cRqaYzBKVP"
    private static let statementKey = "zDnaeTHfhmSaQKBc7CmdL3K7oYg3D6SC7yowe2eBeVd2DH32r"
    private static let selected = ["/validFrom", "/validUntil", "/credentialSubject/birthCountry"]

    /// The terms of the figures' second context that they use.
    private static let citizenship: JSONValue = {
        var terms: JSONObject = [:]
        for term in [
            "birthDate", "familyName", "gender", "givenName", "additionalName", "identifier", "image", "Person",
        ] {
            terms[term] = ["@id": .string("https://schema.org/" + term)]
        }
        for term in [
            "birthCountry", "commuterClassification", "employmentAuthorizationDocument", "permanentResidentCard",
            "residentSince", "lprCategory", "lprNumber", "EmployablePerson", "EmploymentAuthorizationDocument",
            "EmploymentAuthorizationDocumentCredential", "PermanentResident", "PermanentResidentCard",
            "PermanentResidentCardCredential",
        ] {
            terms[term] = ["@id": .string("https://w3id.org/citizenship#" + term)]
        }
        let date: JSONValue = "http://www.w3.org/2001/XMLSchema#dateTime"
        terms["birthDate"] = ["@id": "https://schema.org/birthDate", "@type": date]
        terms["residentSince"] = ["@id": "https://w3id.org/citizenship#residentSince", "@type": date]
        terms["image"] = ["@id": "https://schema.org/image", "@type": "@id"]
        return ["@context": .object(terms)]
    }()

    private let prover: LinkedDataProver
    private let verifier: LinkedDataVerifier

    init() throws {
        var contexts = ContextRegistry.builtIn
        let bytes = Self.citizenship.encoded()
        let digest = HashAlgorithm.sha256.digest(of: bytes)
        try contexts.add(bytes, at: "https://w3id.org/citizenship/v4rc1", sha256: digest)
        let processor = JSONLDProcessor(contexts: contexts)
        prover = LinkedDataProver(processor: processor)
        verifier = LinkedDataVerifier(processor: processor, clock: { ProofScene.now })
    }

    private func secured(_ members: JSONObject, _ value: String) throws -> SecuredDocument {
        var members = members
        members["proof"] = [
            "type": "DataIntegrityProof", "cryptosuite": "ecdsa-sd-2023", "created": "2023-08-15T23:36:38Z",
            "verificationMethod": .string("did:key:" + Self.issuer + "#" + Self.issuer),
            "proofPurpose": "assertionMethod", "proofValue": .string(value),
        ]
        return try SecuredDocument(json: members)
    }

    /// A base proof that is made with the printed keys has the printed statements and digests.
    ///
    /// The signatures of the figures
    /// are deterministic ones, which this library does not make.
    @Test(arguments: SelectiveDisclosureFigures.all)
    func signsThePrintedStatements(_ figures: SelectiveDisclosureFigures) async throws {
        let secret = try Multibase.decode("z42tqvNGyzyXRzotAYn43UhcFtzDUVdxJ7461fwrfhBPLmfY").dropFirst(2)
        let keys = QueuedBytes((0..<32).map { UInt8($0 % 16 * 17) }, Array(secret))
        let issuerSecret = try Multibase.decode("z42twTcNeSYcnqg1FLuSFs2bsGH3ZqbRHFmvS9XMsYhjxvHN").dropFirst(2)
        let issuer = try SoftwareSigner(PrivateKey(curve: .p256, rawRepresentation: Array(issuerSecret)))
        let options = LinkedDataProofOptions(
            verificationMethod: try DIDURL("did:key:" + Self.issuer + "#" + Self.issuer),
            created: Date(timeIntervalSince1970: 1_692_142_598),
            mandatoryPointers: [try JSONPointer("/issuer")]
        )
        let unsigned = try prover.prepare(
            figures.document,
            suite: .ecdsaSD2023,
            options: options,
            for: issuer.publicKey,
            using: keys
        )
        let input = unsigned.input
        #expect(input.optionsDigest.hex == figures.proofHash)
        #expect(input.documentDigest.hex == figures.mandatoryHash)
        #expect(try Multikey(Multibase.encode(input.statementKey)).text == Self.statementKey)
        #expect(unsigned.bytesToSign == input.optionsDigest + input.statementKey + input.documentDigest)
        let newline = UInt8(ascii: "\n")
        let mandatory = input.canonicalDocument.split(separator: newline).map { Array($0) + [newline] }
        #expect(mandatory.count == 4)
        #expect(input.statements.count == 20)
        let all = (mandatory + input.statements).sorted { $0.lexicographicallyPrecedes($1) }
        #expect(HashAlgorithm.sha256.digest(of: Array(all.joined())).hex == figures.statementsDigest)

        let signed = try unsigned.completed(with: try issuer.signature(for: unsigned.bytesToSign))
        let derived = try prover.derive(from: signed, revealing: Self.selected.map { try JSONPointer($0) })
        #expect(derived.unverifiedDocument == figures.disclosed)
        #expect(await verifier.verify(derived, expecting: LinkedDataExpectation()).verified != nil)
    }

    @Test(arguments: SelectiveDisclosureFigures.all)
    func derivesThePrintedProof(_ figures: SelectiveDisclosureFigures) throws {
        let base = try secured(figures.document, figures.base)
        let derived = try prover.derive(from: base, revealing: Self.selected.map { try JSONPointer($0) })
        #expect(derived.unverifiedDocument == figures.disclosed)
        #expect(derived.proofs.first?.members["proofValue"]?.stringValue == figures.derived)
    }

    @Test(arguments: SelectiveDisclosureFigures.all)
    func verifiesThePrintedProof(_ figures: SelectiveDisclosureFigures) async throws {
        let derived = try secured(figures.disclosed, figures.derived)
        let verification = await verifier.verify(derived, expecting: LinkedDataExpectation())
        let verified = try #require(verification.verified, "\(String(describing: verification.refusal))")
        #expect(verified.document == figures.disclosed)
        let input = try verifier.input(ofProofAt: 0, in: derived)
        #expect(input.optionsDigest.hex == figures.proofHash)
        #expect(input.documentDigest.hex == figures.mandatoryHash)
        #expect(input.statements.count == 6)
    }

    @Test(arguments: SelectiveDisclosureFigures.all)
    func refusesThePrintedProofOfAnotherDocument(_ figures: SelectiveDisclosureFigures) async throws {
        let derived = try secured(figures.disclosed, figures.derived)
        let mandatory = try derived.changed { $0["issuer"] = "did:example:other" }
        let selected = try derived.changed { $0["validUntil"] = "2039-12-03T00:00:00Z" }
        for changed in [mandatory, selected] {
            let verification = await verifier.verify(changed, expecting: LinkedDataExpectation())
            #expect(verification.verified == nil)
        }
        let base = try secured(figures.document, figures.base)
        let verification = await verifier.verify(base, expecting: LinkedDataExpectation())
        #expect(verification.refusal?.reason == "invalidProofValue")
        #expect(verification.refusal?.message.contains("base proof") == true)
    }
}
