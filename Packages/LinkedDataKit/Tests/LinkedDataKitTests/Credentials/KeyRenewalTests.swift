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

/// Signatures of an issuer that changes its key: its only one, or that of a name.
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

    private func content() throws -> W3CCredentialContent {
        try W3CCredentialContent(issuer: Self.did, subjects: [["id": "did:example:alice"]])
    }

    /// The refusal of a token that a key signed, and that a verifier meets some seconds later.
    private func refusal(
        of signer: SoftwareSigner,
        named keyID: String? = nil,
        after seconds: TimeInterval
    ) async throws -> Refusal? {
        let header = JOSEHeader(type: "vc+jwt", keyID: keyID)
        let token = try await JWT.sign(content().tokenClaims, header: header, with: signer)
        return await refusal(of: VerifiableCredential(.token(token)), after: seconds)
    }

    /// The refusal of a credential with a proof that a key made.
    private func refusal(
        ofProofBy signer: SoftwareSigner,
        _ suite: LinkedDataProofSuite,
        after seconds: TimeInterval
    ) async throws -> Refusal? {
        let options = LinkedDataProofOptions(
            verificationMethod: try DIDURL(Self.did + "#0"),
            created: CredentialScene.now
        )
        let signed = try await LinkedDataProver()
            .sign(content().members, suite: suite, options: options, with: signer)
        return await refusal(of: VerifiableCredential(.linkedData(signed)), after: seconds)
    }

    private func refusal(of credential: VerifiableCredential, after seconds: TimeInterval) async -> Refusal? {
        let verifier = W3CCredentialVerifier(
            policy: W3CCredentialPolicy(tokens: [.edDSA]),
            trust: .issuers([ExactText(Self.did)]),
            resolver: resolver,
            clock: { CredentialScene.now + seconds }
        )
        return await verifier.verify(credential).refusal
    }

    private func publish(_ document: JSONValue) { published.document.withLock { $0 = document } }

    private var requests: Int { published.requests.withLock { $0 } }

    /// A key that replaces another under its name.
    @Test func findsTheKeyThatATokenNames() async throws {
        let name = Self.did + "#0"
        #expect(try await refusal(of: scene.issuer, named: name, after: 0) == nil)
        publish(try Self.document(of: scene.holder))
        #expect(try await refusal(of: scene.holder, named: name, after: 29)?.reason == .invalidSignature)
        #expect(requests == 1)
        #expect(try await refusal(of: scene.holder, named: name, after: 30) == nil)
        #expect(try await refusal(of: scene.issuer, named: name, after: 31)?.reason == .invalidSignature)
        #expect(requests == 2)
    }

    @Test func findsTheKeyThatAProofNames() async throws {
        let suite = LinkedDataProofSuite.eddsaRDFC2022
        #expect(try await refusal(ofProofBy: scene.issuer, suite, after: 0) == nil)
        publish(try Self.document(of: scene.holder))
        #expect(try await refusal(ofProofBy: scene.holder, suite, after: 29)?.reason == .invalidSignature)
        #expect(requests == 1)
        #expect(try await refusal(ofProofBy: scene.holder, suite, after: 30) == nil)
        #expect(try await refusal(ofProofBy: scene.issuer, suite, after: 31)?.reason == .invalidSignature)
        #expect(requests == 2)
    }

    /// The key that was kept does not even go with the suite.
    @Test func findsAKeyOfAnotherCurve() async throws {
        let signer = try ProofScene.signer(.p256)
        #expect(try await refusal(ofProofBy: scene.issuer, .eddsaRDFC2022, after: 0) == nil)
        publish(try Self.document(of: signer))
        #expect(try await refusal(ofProofBy: signer, .ecdsaRDFC2019, after: 29)?.reason == "keyMismatch")
        #expect(try await refusal(ofProofBy: signer, .ecdsaRDFC2019, after: 30) == nil)
    }

    /// A document that says the same once more is asked for at a limited rate.
    @Test func asksOnceForForgedProofs() async throws {
        for _ in 0..<4 {
            let refusal = try await refusal(ofProofBy: scene.holder, .eddsaRDFC2022, after: 60)
            #expect(refusal?.reason == .invalidSignature)
        }
        #expect(requests == 1)
    }

    /// Tokens that name no key, and tokens whose `kid` is the issuer's DID.
    @Test(arguments: [nil, did])
    func findsTheNewKeyAfterAFailedSignature(_ name: String?) async throws {
        #expect(try await refusal(of: scene.issuer, named: name, after: 0) == nil)
        let renewed = try Self.document(of: scene.holder)
        published.document.withLock { $0 = renewed }
        // Strangers cause no more than one request in a while.
        #expect(try await refusal(of: scene.holder, named: name, after: 29)?.reason == .invalidSignature)
        #expect(published.requests.withLock { $0 } == 1)
        #expect(try await refusal(of: scene.holder, named: name, after: 30) == nil)
        #expect(try await refusal(of: scene.issuer, named: name, after: 31)?.reason == .invalidSignature)
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
