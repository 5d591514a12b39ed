import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import Testing
import VerificationCore

/// Tokens whose `kid` is a DID alone.
struct TokenKeyNameTests {
    private static let now = CredentialScene.now

    private func credential(_ scene: CredentialScene, named keyID: String) async throws -> VerifiableCredential {
        let claims = try W3CCredentialContent(json: scene.members()).tokenClaims
        return try await Self.credential(claims, scene.form, keyID, scene.issuer)
    }

    private static func credential(
        _ claims: JWTClaims,
        _ form: CredentialScene.Form,
        _ keyID: String,
        _ signer: SoftwareSigner
    ) async throws -> VerifiableCredential {
        let header = JOSEHeader(type: form == .token1 ? "JWT" : "vc+jwt", keyID: keyID)
        return VerifiableCredential(.token(try await JWT.sign(claims, header: header, with: signer)))
    }

    /// The holder's presentation without credentials, under the DID of the holder.
    private func presentation(_ scene: CredentialScene, namesHolder: Bool) async throws -> VerifiablePresentation {
        let did = try scene.holderDID.text
        let content = try W3CPresentationContent(version: .v2, holder: namesHolder ? did : nil, credentials: [])
        let claims = content.tokenClaims(nonce: CredentialScene.nonce, audience: CredentialScene.audience)
        let header = content.tokenHeader(keyID: did)
        return VerifiablePresentation(.token(try await JWT.sign(claims, header: header, with: scene.holder)))
    }

    private static let expectation = W3CPresentationExpectation(
        nonce: CredentialScene.nonce,
        audience: CredentialScene.audience
    )

    @Test(arguments: [CredentialScene.Form.token1, .token2])
    func takesTheIssuersDIDForItsOnlyKey(_ form: CredentialScene.Form) async throws {
        let scene = try CredentialScene(form)
        let credential = try await credential(scene, named: scene.issuerDID.text)
        let verification = try await scene.verifier().verify(credential)
        #expect(verification.verified?.controller == (try scene.issuerDID), "\(verification.checks)")
    }

    @Test func takesTheHoldersDIDForItsOnlyKey() async throws {
        let scene = try CredentialScene(.token2)
        let presentation = try await presentation(scene, namesHolder: true)
        let verification = try await scene.verifier().verify(presentation, expecting: Self.expectation)
        #expect(verification.verified?.holder == (try scene.holderDID), "\(verification.checks)")
    }

    @Test func refusesADIDAsTheOnlyNameOfAHolder() async throws {
        let scene = try CredentialScene(.token2)
        let presentation = try await presentation(scene, namesHolder: false)
        let refusal = try await scene.verifier().verify(presentation, expecting: Self.expectation).refusal
        #expect(refusal?.check == .holderBinding)
        #expect(refusal?.reason == .controllerMismatch)
        #expect(refusal?.path == ["kid"])
    }

    @Test(arguments: [CredentialScene.Form.token1, .token2])
    func refusesTheDIDOfAnother(_ form: CredentialScene.Form) async throws {
        let scene = try CredentialScene(form)
        let claims = try W3CCredentialContent(json: scene.members()).tokenClaims
        let credential = try await Self.credential(claims, form, scene.holderDID.text, scene.holder)
        let refusal = try await scene.verifier().verify(credential).refusal
        #expect(refusal?.check == .issuerSignature)
        #expect(refusal?.reason == .controllerMismatch)
        #expect(refusal?.path == ["kid"])
    }

    @Test(arguments: ["/path", "?versionId=1", "/#0"])
    func refusesURLsWithoutAMethod(_ rest: String) async throws {
        let scene = try CredentialScene(.token2)
        let credential = try await credential(scene, named: scene.issuerDID.text + rest)
        let refusal = try await scene.verifier().verify(credential).refusal
        #expect(refusal?.check == .issuerSignature)
        #expect(refusal?.reason == "verificationMethodNotFound")
    }

    // MARK: Documents of other forms

    private static func document(_ did: String, _ methods: (url: String, key: PublicKey)...) throws -> DIDDocument {
        let methods = try methods.map { try VerificationMethod(id: DIDURL($0.url), key: $0.key) }
        return DIDDocument(
            id: try DID(did),
            verificationMethods: methods,
            relationships: [.assertionMethod: methods.map(\.id)]
        )
    }

    private func refusal(
        signedBy signer: SoftwareSigner,
        named keyID: String,
        _ documents: FixedDocuments
    ) async throws -> Refusal? {
        let issuer = "did:web:issuer.example"
        let content = try W3CCredentialContent(issuer: issuer, subjects: [["id": "did:example:alice"]])
        let credential = try await Self.credential(content.tokenClaims, .token2, keyID, signer)
        let verifier = W3CCredentialVerifier(
            policy: W3CCredentialPolicy(tokens: [.edDSA]),
            trust: .issuers([ExactText(issuer)]),
            resolver: documents,
            clock: { Self.now }
        )
        return await verifier.verify(credential).refusal
    }

    @Test func refusesADIDWithSeveralKeys() async throws {
        let scene = try CredentialScene(.token2)
        let did = "did:web:issuer.example"
        let document = try Self.document(
            did,
            (did + "#0", scene.issuer.publicKey),
            (did + "#1", scene.holder.publicKey)
        )
        let refusal = try await refusal(signedBy: scene.issuer, named: did, FixedDocuments(document))
        #expect(refusal?.check == .issuerSignature)
        #expect(refusal?.reason == "verificationMethodNotFound")
        #expect(refusal?.message.contains("not exactly one") == true)
    }

    /// Anyone can publish a document with a method in the issuer's name.
    @Test func refusesADocumentThatHoldsAKeyInTheIssuersName() async throws {
        let scene = try CredentialScene(.token2)
        let (issuer, attacker) = ("did:web:issuer.example", "did:web:attacker.example")
        let documents = FixedDocuments(
            try Self.document(issuer, (issuer + "#0", scene.issuer.publicKey)),
            try Self.document(attacker, (issuer + "#0", scene.holder.publicKey))
        )
        #expect(try await refusal(signedBy: scene.issuer, named: issuer, documents) == nil)
        let refusal = try await refusal(signedBy: scene.holder, named: attacker, documents)
        #expect(refusal?.check == .issuerSignature)
        #expect(refusal?.reason == .controllerMismatch)
    }
}
