import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import Synchronization
import Testing

/// Issuers and holders that are named by DIDs.
@Suite struct DIDIssuerTests {
    private static let did = "did:web:issuer.example"
    private static let url = "https://issuer.example/.well-known/did.json"
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    /// A document whose only key is listed for making claims.
    private func document(_ jwk: JSONObject) -> JSONValue {
        [
            "id": .string(Self.did),
            "verificationMethod": [
                ["id": "#1", "type": "JsonWebKey", "controller": .string(Self.did), "publicKeyJwk": .object(jwk)]
            ],
            "assertionMethod": ["#1"],
        ]
    }

    /// The restrictions of a key in the document hold for the issuer's signature.
    @Test(
        arguments: [
            ("use", "enc", false), ("use", "sig", true), ("alg", "ES384", false), ("alg", "ES256", true),
            ("key_ops", ["sign"], false), ("key_ops", [], false), ("key_ops", ["verify"], true),
        ] as [(String, JSONValue, Bool)]
    )
    func restrictionsOfAKeyAreKept(name: String, value: JSONValue, isVerified: Bool) async throws {
        var members = try JWK(scene.issuer.publicKey).members
        members[name] = value
        let document = document(members)
        let answer = InMemoryHTTPAnswer.ok(document.encoded(), type: .json)
        let resolver = DIDWebMethod(transport: InMemoryHTTPTransport([Self.url: answer]))
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: DIDIssuerKeys(resolver) { $0 == Self.did },
            clock: { [now = scene.now] in now }
        )
        let builder = SDJWTBuilder(credentialType: "t", claims: ["iss": .string(Self.did)])
        let credential = try await builder.sign(with: scene.issuer, header: ["kid": "#1"])
        let verification = await verifier.verify(credential, expecting: .noKeyBinding)
        #expect((verification.verified != nil) == isVerified, "\(verification.checks)")
        if !isVerified { #expect(verification.refusal?.check == .issuerSignature) }
    }

    /// Where the header names no key, or the one under whose name the issuer has a new one, only the failed signature shows it.
    @Test(arguments: [[:], ["kid": "#1"], ["kid": "did:web:issuer.example#1"]] as [JOSEHeader])
    func aNewKeyOfADIDIsFoundWithoutANewName(header: JOSEHeader) async throws {
        let answers = Mutex(try document(JWK(scene.issuer.publicKey).members))
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            .ok(answers.withLock { $0.encoded() }, type: .json)
        }
        let resolver = DIDMethods(["web": DIDWebMethod(transport: transport)])
        func verifies(_ signer: SoftwareSigner, after seconds: TimeInterval) async throws -> Bool {
            let verifier = SDJWTVerifier(
                policy: .credential(algorithms: [.es256]),
                issuerKeys: IssuerKeyMechanisms(dids: DIDIssuerKeys(resolver) { $0 == Self.did }),
                clock: { [now = scene.now] in now + seconds }
            )
            let builder = SDJWTBuilder(credentialType: "t", claims: ["iss": .string(Self.did)])
            let credential = try await builder.sign(with: signer, header: header)
            return await verifier.verify(credential, expecting: .noKeyBinding).verified != nil
        }
        #expect(try await verifies(scene.issuer, after: 0))
        let renewed = try document(JWK(scene.stranger.publicKey).members)
        answers.withLock { $0 = renewed }
        #expect(try await !verifies(scene.stranger, after: 29))
        #expect(transport.requests.count == 1)
        #expect(try await verifies(scene.stranger, after: 30))
        #expect(transport.requests.count == 2)
        #expect(try await !verifies(scene.issuer, after: 31))
        #expect(transport.requests.count == 2)
    }

    @Test func anIssuerAndAHolderWithDIDs() async throws {
        let document = document(try JWK(scene.issuer.publicKey).members)
        let answer = InMemoryHTTPAnswer.ok(document.encoded(), type: .json)
        let resolver = DIDMethods([
            "web": DIDWebMethod(transport: InMemoryHTTPTransport([Self.url: answer])), "jwk": DIDJWKMethod(),
        ])
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: DIDIssuerKeys(resolver) { $0 == Self.did },
            holderKeys: resolver,
            clock: { [now = scene.now] in now }
        )
        let holder = "did:jwk:" + Base64URL.encode(try JWK(scene.holder.publicKey).encoded())
        let claims: JSONObject = ["iss": .string(Self.did), "cnf": ["kid": .string(holder + "#0")]]
        let builder = SDJWTBuilder(credentialType: "t", claims: claims)
        let credential = try await builder.sign(with: scene.issuer, header: ["kid": "#1"])
        let presentation = try await credential.bound(by: scene.holder, scene.keyBinding)
        let verification = await verifier.verify(presentation, expecting: .keyBinding(scene.expectation))
        #expect(verification.verified?.keyBinding?.key == scene.holder.publicKey, "\(verification.checks)")
    }
}
