import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import Testing

/// Credentials and presentations that didkit verifies of ours, and that we verify of its own.
@Suite(.enabled(PythonPeers.absence) { await PythonPeers.shared.areAvailable })
struct DidkitTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let suite: LinkedDataProofSuite
        let curve: EllipticCurve?
        let algorithm: SignatureAlgorithm
        let method: String

        var testDescription: String { "\(suite) with \(algorithm) and did:\(method)" }

        func key() throws -> PrivateKey { try curve.map { try ProofScene.key($0, number: 5) } ?? RSAKey.key() }

        func name(of key: PublicKey) throws -> DIDURL {
            guard method == "key" else { return try DIDURL(DID.jwk(key).text + "#0") }
            let did = try DID.key(key)
            return try DIDURL(did.text + "#" + did.identifier)
        }

        /// The contexts that didkit has for the suite; credentials v1 defines those of 2018 itself.
        ///
        /// For RsaSignature2018 it uses prefixes that it does not define, and didkit takes their expansion for granted.
        var contexts: [JSONValue] {
            switch suite {
            case .ed25519Signature2020:
                ["https://www.w3.org/2018/credentials/v1", "https://w3id.org/security/suites/ed25519-2020/v1"]
            case .jsonWebSignature2020:
                ["https://www.w3.org/2018/credentials/v1", "https://w3id.org/security/suites/jws-2020/v1"]
            case .rsaSignature2018:
                [
                    "https://www.w3.org/2018/credentials/v1",
                    ["sec": "https://w3id.org/security#", "xsd": "http://www.w3.org/2001/XMLSchema#"],
                ]
            default: ["https://www.w3.org/2018/credentials/v1"]
            }
        }
    }

    static let cases: [Case] =
        ["key", "jwk"].flatMap { method in
            [
                Case(suite: .ed25519Signature2018, curve: .ed25519, algorithm: .ed25519, method: method),
                Case(suite: .ed25519Signature2020, curve: .ed25519, algorithm: .ed25519, method: method),
                Case(suite: .jsonWebSignature2020, curve: .ed25519, algorithm: .ed25519, method: method),
                Case(suite: .jsonWebSignature2020, curve: .p256, algorithm: .ecdsaSHA256, method: method),
                Case(suite: .ecdsaSecp256k1Signature2019, curve: .secp256k1, algorithm: .ecdsaSHA256, method: method),
            ]
        } + [
            Case(suite: .rsaSignature2018, curve: nil, algorithm: .rsaPKCS1SHA256, method: "jwk"),
            Case(suite: .jsonWebSignature2020, curve: nil, algorithm: .rsaPSSSHA256, method: "jwk"),
        ]

    private func task(_ operation: String, _ document: JSONObject, _ options: JSONObject, key: JWK? = nil) -> JSONValue
    {
        var task: JSONObject = [
            "operation": .string(operation), "document": .object(document), "options": .object(options),
        ]
        if let key { task["key"] = .object(key.membersWithSecrets()) }
        return .object(task)
    }

    private func tampered(_ document: JSONObject, _ member: String) -> JSONObject {
        var document = document
        document[member] = "urn:uuid:0b1e8a3c-1b5a-4c9e-9d7e-1f0a6a4d0009"
        return document
    }

    private func verify(_ document: JSONObject, _ expectation: LinkedDataExpectation) async throws -> Refusal? {
        let verifier = LinkedDataVerifier()
        return await verifier.verify(try SecuredDocument(json: document), expecting: expectation).refusal
    }

    @Test(arguments: cases)
    func bothVerifyCredentialsOfTheOther(_ test: Case) async throws {
        let key = try test.key()
        let name = try test.name(of: key.publicKey)
        let document: JSONObject = [
            "@context": .array(test.contexts), "id": "urn:uuid:0b1e8a3c-1b5a-4c9e-9d7e-1f0a6a4d0001",
            "type": ["VerifiableCredential"], "issuer": .string(name.did.text), "issuanceDate": "2024-01-01T00:00:00Z",
            "credentialSubject": ["id": "did:example:alice"],
        ]
        try await exchange(test, key, name, document, kind: "Credential", options: ["proofPurpose": "assertionMethod"])
    }

    @Test(arguments: cases)
    func bothVerifyPresentationsOfTheOther(_ test: Case) async throws {
        let key = try test.key()
        let name = try test.name(of: key.publicKey)
        let document: JSONObject = [
            "@context": .array(test.contexts), "id": "urn:uuid:0b1e8a3c-1b5a-4c9e-9d7e-1f0a6a4d0001",
            "type": ["VerifiablePresentation"], "holder": .string(name.did.text),
        ]
        let options: JSONObject = [
            "proofPurpose": "authentication", "challenge": "n-0S6_WzA2Mj", "domain": "https://verifier.example",
        ]
        try await exchange(test, key, name, document, kind: "Presentation", options: options)
    }

    /// Has both sign a document, and each verify what the other signed, as it is and with another identifier.
    private func exchange(
        _ test: Case,
        _ key: PrivateKey,
        _ name: DIDURL,
        _ document: JSONObject,
        kind: String,
        options: JSONObject
    ) async throws {
        let signer = try SoftwareSigner(key, algorithm: test.algorithm)
        let domain = options["domain"]?.stringValue.map { ExactText($0) }
        let challenge = options["challenge"]?.stringValue.map { ExactText($0) }
        let purpose = VerificationRelationship(rawValue: try #require(options["proofPurpose"]?.stringValue))
        let proof = LinkedDataProofOptions(
            verificationMethod: name,
            purpose: purpose,
            created: Date(timeIntervalSince1970: 1_704_067_200),
            challenge: challenge,
            domains: domain.map { [$0] } ?? []
        )
        let ours = try await LinkedDataProver().sign(document, suite: test.suite, options: proof, with: signer)
        var theirOptions = options
        theirOptions["verificationMethod"] = .string(name.text)
        theirOptions["type"] = .string(test.suite.type.text)
        let answers = try await PythonPeers.shared.run([
            task("verify" + kind, ours.unverifiedMembers, options),
            task("verify" + kind, tampered(ours.unverifiedMembers, "id"), options),
            task("issue" + kind, document, theirOptions, key: try JWK(key)),
        ])
        #expect(answers[0].error == nil)
        #expect(answers[1].error != nil)
        let text = try #require(answers[2].text, "\(answers[2].error ?? "")")
        let theirs = try #require(JSONValue(parsing: text).objectValue)
        let expectation = LinkedDataExpectation(purpose: purpose, challenge: challenge, domain: domain)
        let refusal = try await verify(theirs, expectation)
        #expect(refusal == nil, "\(text)")
        #expect(try await verify(tampered(theirs, "id"), expectation)?.reason == .invalidSignature)
    }
}
