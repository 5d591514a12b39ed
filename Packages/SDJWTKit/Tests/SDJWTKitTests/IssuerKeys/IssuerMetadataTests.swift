import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

/// The metadata of an issuer, published and read again.
@Suite struct IssuerMetadataTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    @Test(
        arguments: [
            ("https://issuer.example", "https://issuer.example/.well-known/jwt-vc-issuer"),
            ("https://issuer.example/tenant/1", "https://issuer.example/.well-known/jwt-vc-issuer/tenant/1"),
        ],
        [false, true]
    )
    func aVerifierFindsTheKeys(names: (issuer: String, place: String), isElsewhere: Bool) async throws {
        let key = try JWK(PrivateKey.generate(.p256, using: Scene.random(1)), keyID: "1")
        let set = JWKSet([key])
        let place = try HTTPURL("https://keys.example/set")
        let metadata =
            try isElsewhere
            ? IssuerMetadata(issuer: names.issuer, keysURL: place) : IssuerMetadata(issuer: names.issuer, keys: set)
        #expect(metadata.url.description == names.place)
        #expect(metadata.issuer == names.issuer)
        #expect(!String(decoding: metadata.encoded(), as: UTF8.self).contains("\"d\""))
        let keySet = JSONValue.object(["keys": [.object(key.members)]])
        let transport = InMemoryHTTPTransport([
            names.place: .ok(metadata.encoded(), type: IssuerMetadata.mediaType),
            place.description: .ok(keySet.encoded(), type: .json),
        ])
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: IssuerMetadataKeys(transport: transport) { _ in true },
            clock: { [now = scene.now] in now }
        )
        let builder = SDJWTBuilder(credentialType: "t", claims: ["iss": .string(names.issuer)])
        let credential = try await builder.sign(with: scene.issuer, header: ["kid": "1"])
        let verification = await verifier.verify(credential, expecting: .noKeyBinding)
        #expect(verification.refusal == nil, "\(verification.checks)")
    }

    /// WebCrypto exports a key for signatures with `key_ops`, which says that of the private key alone.
    @Test func aVerifierUsesAKeyThatABrowserExported() async throws {
        let own = try JWK(PrivateKey.generate(.p256, using: Scene.random(1)), keyID: "1")
        var members = own.membersWithSecrets()
        members["key_ops"] = ["sign"]
        members["ext"] = true
        let exported = try JWK(json: .object(members))
        let metadata = try IssuerMetadata(issuer: "https://issuer.example", keys: JWKSet([exported]))
        let answer = InMemoryHTTPAnswer.ok(metadata.encoded(), type: IssuerMetadata.mediaType)
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: IssuerMetadataKeys(
                transport: InMemoryHTTPTransport([metadata.url.description: answer])
            ) { _ in true },
            clock: { [now = scene.now] in now }
        )
        let builder = SDJWTBuilder(credentialType: "t", claims: ["iss": "https://issuer.example"])
        let credential = try await builder.sign(with: exported.signer(), header: ["kid": "1"])
        let verification = await verifier.verify(credential, expecting: .noKeyBinding)
        #expect(verification.refusal == nil, "\(verification.checks)")
        #expect(verification.verified?.issuerJWK?.keyOperations == [.verify])
    }

    @Test(arguments: ["http://issuer.example", "did:web:issuer.example", "https://issuer.example?x", ""])
    func onlyHTTPSURLsAreIssuers(issuer: String) throws {
        let keys = JWKSet([try JWK(scene.issuer.publicKey)])
        expectRefusal(.issuerKeyNotFound) { try IssuerMetadata(issuer: issuer, keys: keys) }
    }

    @Test func onlyPublicKeysArePublished() throws {
        let symmetric = try JWK(symmetric: SecretBytes([UInt8](repeating: 7, count: 32)))
        for keys in [[], [symmetric], [try JWK(scene.issuer.publicKey), symmetric]] {
            expectRefusal(.invalidValue) { try IssuerMetadata(issuer: "https://issuer.example", keys: JWKSet(keys)) }
        }
        let insecure = try HTTPURL("http://keys.example/set")
        expectRefusal(.invalidValue) { try IssuerMetadata(issuer: "https://issuer.example", keysURL: insecure) }
    }
}
