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
    @Test(
        arguments: [
            [:], ["kid": "#1"], ["kid": "did:web:issuer.example#1"], ["kid": "did:web:issuer.example"],
        ] as [JOSEHeader]
    )
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

    /// A verifier that knows documents of DIDs, by their names.
    private func verifier(_ documents: [String: JSONValue]) throws -> SDJWTVerifier {
        let answers = documents.map { name, document in
            ("https://\(name)/.well-known/did.json", InMemoryHTTPAnswer.ok(document.encoded(), type: .json))
        }
        let transport = InMemoryHTTPTransport(Dictionary(answers) { first, _ in first })
        let resolver = DIDMethods(["web": DIDWebMethod(transport: transport), "jwk": DIDJWKMethod()])
        return SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: DIDIssuerKeys(resolver) { $0 == Self.did },
            holderKeys: resolver,
            clock: { [now = scene.now] in now }
        )
    }

    /// The refusal of a credential of the issuer under a name of its key.
    private func refusal(_ keyID: String, _ documents: [String: JSONValue]) async throws -> Refusal? {
        let builder = SDJWTBuilder(credentialType: "t", claims: ["iss": .string(Self.did)])
        let credential = try await builder.sign(with: scene.issuer, header: ["kid": .string(keyID)])
        return try await verifier(documents).verify(credential, expecting: .noKeyBinding).refusal
    }

    /// Some issuers name their key by the DID alone.
    @Test func takesTheIssuersDIDForItsOnlyKey() async throws {
        let document = document(try JWK(scene.issuer.publicKey).members)
        #expect(try await refusal(Self.did, ["issuer.example": document]) == nil)
    }

    @Test func refusesTheDIDOfAnotherIssuer() async throws {
        let document = document(try JWK(scene.stranger.publicKey).members)
        var other = self.document(try JWK(scene.issuer.publicKey).members).objectValue ?? [:]
        other["id"] = "did:web:other.example"
        let documents: [String: JSONValue] = ["issuer.example": document, "other.example": .object(other)]
        let refusal = try await refusal("did:web:other.example", documents)
        #expect(refusal?.check == .issuerKey)
        #expect(refusal?.reason == "issuerMismatch")
    }

    @Test func refusesADIDWithSeveralKeys() async throws {
        let jwk = JSONValue.object(try JWK(scene.issuer.publicKey).members)
        let methods = ["#1", "#2"].map { id -> JSONValue in
            ["id": .string(id), "type": "JsonWebKey", "controller": .string(Self.did), "publicKeyJwk": jwk]
        }
        let document: JSONValue = [
            "id": .string(Self.did), "verificationMethod": .array(methods), "assertionMethod": ["#1", "#2"],
        ]
        #expect(try await refusal("#2", ["issuer.example": document]) == nil)
        let refusal = try await refusal(Self.did, ["issuer.example": document])
        #expect(refusal?.check == .issuerKey)
        #expect(refusal?.reason == "verificationMethodNotFound")
    }

    @Test(arguments: ["/path", "?versionId=1"])
    func refusesURLsWithoutAMethod(_ rest: String) async throws {
        let document = document(try JWK(scene.issuer.publicKey).members)
        let refusal = try await refusal(Self.did + rest, ["issuer.example": document])
        #expect(refusal?.check == .issuerKey)
        #expect(refusal?.reason == "verificationMethodNotFound")
    }

    /// Some issuers name the holder's key by the DID alone.
    @Test func takesTheHoldersDIDForItsOnlyKey() async throws {
        let documents = ["issuer.example": document(try JWK(scene.issuer.publicKey).members)]
        for (signer, isVerified) in [(scene.holder, true), (scene.stranger, false)] {
            let holder = "did:jwk:" + Base64URL.encode(try JWK(scene.holder.publicKey).encoded())
            let claims: JSONObject = ["iss": .string(Self.did), "cnf": ["kid": .string(holder)]]
            let credential = try await SDJWTBuilder(credentialType: "t", claims: claims)
                .sign(with: scene.issuer, header: ["kid": "#1"])
            let presentation = try await credential.bound(by: signer, scene.keyBinding)
            let verification = try await verifier(documents)
                .verify(presentation, expecting: .keyBinding(scene.expectation))
            #expect((verification.verified != nil) == isVerified, "\(verification.checks)")
            if !isVerified { #expect(verification.refusal?.check == .holderBinding) }
        }
    }

    /// The issuer's document lists no key for authentication.
    @Test func refusesAHoldersDIDWithoutAKey() async throws {
        let documents = ["issuer.example": document(try JWK(scene.issuer.publicKey).members)]
        let claims: JSONObject = ["iss": .string(Self.did), "cnf": ["kid": .string(Self.did)]]
        let credential = try await SDJWTBuilder(credentialType: "t", claims: claims)
            .sign(with: scene.issuer, header: ["kid": "#1"])
        let presentation = try await credential.bound(by: scene.holder, scene.keyBinding)
        let verification = try await verifier(documents)
            .verify(presentation, expecting: .keyBinding(scene.expectation))
        #expect(verification.refusal?.check == .holderKey)
        #expect(verification.refusal?.reason == "verificationMethodNotFound")
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
