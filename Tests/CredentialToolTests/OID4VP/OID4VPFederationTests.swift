import CommandTesting
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OpenIDFederation
import Testing

/// A wallet on the command line that is asked by an entity of a federation.
@Suite struct OID4VPFederationTests {
    private let anchorKey: PrivateKey
    private let entityKey: PrivateKey

    init() throws {
        anchorKey = try PrivateKey.generate(.p256)
        entityKey = try PrivateKey.generate(.p256)
    }

    /// The statements from the verifier to the anchor, as the header of a request has them.
    private func chain() async throws -> JSONValue {
        let anchor = try EntityIdentifier("https://anchor.example")
        let entity = try EntityIdentifier("https://v.example")
        let key = try JWK(entityKey.publicKey, keyID: "e")
        let validity = OID4VPScene.now - 60...OID4VPScene.now + 60
        let own = EntityStatementBuilder(
            issuer: entity,
            keys: JWKSet([key]),
            validity: validity,
            metadata: [
                "openid_credential_verifier": [
                    "jwks": ["keys": [.object(key.members)]], "vp_formats_supported": ["dc+sd-jwt": [:]],
                ]
            ],
            authorityHints: [anchor]
        )
        let about = EntityStatementBuilder(issuer: anchor, about: entity, keys: JWKSet([key]), validity: validity)
        return try await TrustChain([
            own.sign(with: SoftwareSigner(entityKey), keyID: "e"),
            about.sign(with: SoftwareSigner(anchorKey), keyID: "a"),
        ]).headerValue()
    }

    @Test func trustsTheAnchorThatIsNamed() async throws {
        let scene = try await OID4VPScene()
        let client = ["--client", "openid_federation:https://v.example"]
        let key = try scene.folder.write(entityKey.pem, to: "entity.pem")
        let options = [
            "--key", key, "--trust-chain", try scene.folder.write(try await chain().text(), to: "chain.json"),
            "--response-uri", OID4VPScene.address, "--response-mode", "direct_post",
        ]
        let unnamed = try await scene.request(OID4VPScene.Credential.sdJWT.query, client + options)
        #expect(unnamed.errors.contains("needs --key-id"))
        let requested = try await scene.request(
            OID4VPScene.Credential.sdJWT.query,
            client + options + ["--key-id", "e"]
        )
        #expect(requested.status == 0, "\(requested.errors)")
        let keys = JWKSet([try JWK(anchorKey.publicKey, keyID: "a")])
        let file = try scene.folder.write(String(decoding: keys.encoded(), as: UTF8.self), to: "anchor.json")
        let presented = await scene.present(["--yes", "--federation", "https://anchor.example=" + file])
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        #expect(presented.output.contains("(it signed, and its federation vouches for it)"))
        let verified = try await scene.verify()
        #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
        // Another anchor vouches for nothing, and without any no federation is trusted.
        let other = await scene.present(["--yes", "--federation", "https://other.example=" + file])
        #expect(other.status == 1)
        #expect(other.output.contains("issuerNotTrusted"), "\(other.output)")
        let none = await scene.present(["--yes"])
        #expect(none.status == 1)
        #expect(none.output.contains("unsupportedClientIdentifier"), "\(none.output)")
    }
}
