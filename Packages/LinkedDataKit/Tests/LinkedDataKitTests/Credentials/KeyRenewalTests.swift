import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import Synchronization
import Testing
import VerificationCore

/// Tokens that name no key, of an issuer that changes its only one.
struct KeyRenewalTests {
    private static let did = "did:web:issuer.example"

    private let scene: CredentialScene
    private let published: Published
    private let resolver: DIDMethods

    /// The document that the issuer publishes, and the requests for it.
    private final class Published: Sendable {
        let document: Mutex<JSONValue>
        let requests = Mutex(0)

        init(_ document: JSONValue) {
            self.document = Mutex(document)
        }
    }

    init() throws {
        scene = try CredentialScene(.token2)
        let published = Published(try Self.document(of: scene.issuer))
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            published.requests.withLock { $0 += 1 }
            return .ok(published.document.withLock { $0.encoded() }, type: .json)
        }
        self.published = published
        resolver = DIDMethods(["web": DIDWebMethod(transport: transport)])
    }

    /// A document that lists each key for making claims.
    private static func document(of signers: SoftwareSigner...) throws -> JSONValue {
        var methods: [JSONValue] = []
        for (index, signer) in signers.enumerated() {
            methods.append([
                "id": .string("#\(index)"), "type": "JsonWebKey", "controller": .string(did),
                "publicKeyJwk": .object(try JWK(signer.publicKey).members),
            ])
        }
        let names = methods.compactMap { $0["id"] }
        return ["id": .string(did), "verificationMethod": .array(methods), "assertionMethod": .array(names)]
    }

    /// The refusal of a credential that a key signed, and that a verifier meets some seconds later.
    private func refusal(of signer: SoftwareSigner, after seconds: TimeInterval) async throws -> Refusal? {
        let content = try W3CCredentialContent(issuer: Self.did, subjects: [["id": "did:example:alice"]])
        let header = JOSEHeader(type: "vc+jwt")
        let token = try await JWT.sign(content.tokenClaims, header: header, with: signer)
        let verifier = W3CCredentialVerifier(
            policy: W3CCredentialPolicy(tokens: [.edDSA]),
            trust: .issuers([ExactText(Self.did)]),
            resolver: resolver,
            clock: { CredentialScene.now + seconds }
        )
        return await verifier.verify(VerifiableCredential(.token(token))).refusal
    }

    @Test func findsTheNewKeyAfterAFailedSignature() async throws {
        #expect(try await refusal(of: scene.issuer, after: 0) == nil)
        let renewed = try Self.document(of: scene.holder)
        published.document.withLock { $0 = renewed }
        // Strangers cause no more than one request in a while.
        #expect(try await refusal(of: scene.holder, after: 29)?.reason == .invalidSignature)
        #expect(published.requests.withLock { $0 } == 1)
        #expect(try await refusal(of: scene.holder, after: 30) == nil)
        #expect(try await refusal(of: scene.issuer, after: 31)?.reason == .invalidSignature)
        #expect(published.requests.withLock { $0 } == 2)
    }

    @Test func findsTheOnlyKeyAfterThereWereTwo() async throws {
        let both = try Self.document(of: scene.issuer, scene.holder)
        let renewed = try Self.document(of: scene.holder)
        published.document.withLock { $0 = both }
        #expect(try await refusal(of: scene.holder, after: 0)?.reason == "verificationMethodNotFound")
        published.document.withLock { $0 = renewed }
        #expect(try await refusal(of: scene.holder, after: 30) == nil)
        #expect(published.requests.withLock { $0 } == 2)
    }
}
