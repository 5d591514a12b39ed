import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import OID4VPTesting
import OID4VPVerifier
import TestSupport
import Testing

/// Request objects that are encrypted to a key of the wallet, which it sends where it fetches them with POST.
@Suite struct EncryptedRequestTests {
    private static let now = EndToEndScene.now
    private static let requestAddress = "https://v.example/request"
    private static let combination = Combination(
        version: .v1,
        client: .x509Hash,
        mode: .directPostJWT,
        delivery: .post,
        format: .sdJWT
    )

    private let scene: EndToEndScene
    private let key: PrivateKey

    init() async throws {
        scene = try await EndToEndScene.shared.value
        key = try PrivateKey.generate(.p256)
    }

    /// The metadata of a wallet with a key for request objects.
    private func metadata(_ change: (inout WalletMetadata) -> Void = { _ in }) throws -> WalletMetadata {
        var metadata = WalletMetadata(formats: [.sdJWT: .init()])
        metadata.keys = JWKSet([try JWK(key.publicKey, keyID: "w1", use: .encryption, algorithm: "ECDH-ES")])
        metadata.requestEncryptionAlgorithms = [.ecdhES]
        metadata.requestEncryptions = [.a256GCM]
        change(&metadata)
        return metadata
    }

    private func request() throws -> (RequestBuilder, CreatedRequest) {
        let builder = RequestBuilder(try scene.relyingParty(Self.combination))
        let query: JSONValue = ["credentials": [["id": "q", "format": "dc+sd-jwt", "meta": [:]]]]
        let content = RequestContent(.dcql(try DCQLQuery(json: query)), address: EndToEndScene.address)
        return (builder, try builder.makeRequest(content, at: Self.now))
    }

    private func object(for metadata: WalletMetadata) async throws -> String {
        let (builder, created) = try request()
        var form = FormParameters()
        form.append("wallet_metadata", JSONValue.object(metadata.json(for: [.v1])).text())
        return try await builder.signedObject(of: created, for: RequestURIPost(form: form.text), at: Self.now)
    }

    @Test func travelsEncryptedAndIsAuthenticated() async throws {
        let (builder, created) = try request()
        var policy = try scene.policy(for: .v1)
        policy.walletMetadata = try metadata()
        policy.decryption = (.privateKey(key), JWEDecryptionPolicy(algorithms: [.ecdhES], encryptions: [.a256GCM]))
        let transport = InMemoryHTTPTransport { request throws(TransportError) in
            do {
                let post = try RequestURIPost(form: String(decoding: request.body, as: UTF8.self))
                let object = try await builder.signedObject(of: created, for: post, at: Self.now)
                #expect(object.utf8.count { $0 == UInt8(ascii: ".") } == 4)
                return .ok(Array(object.utf8), type: try MediaType("application/oauth-authz-req+jwt"))
            } catch {
                Issue.record(error)
                return InMemoryHTTPAnswer(status: 500)
            }
        }
        let link = try builder.link(toReference: Self.requestAddress, for: created, method: .post)
        let request = try AuthorizationRequest(url: link)
        let read = await RequestAuthenticator(policy: policy, transport: transport).authenticate(request, at: Self.now)
        #expect(try read.get().presentationRequest().nonce == created.expectation.nonce)
        let encryption = try #require(try read.get().encryption)
        #expect(encryption.header["kid"] == "w1" && encryption.algorithm == .ecdhES)
        policy.decryption = (
            .privateKey(try PrivateKey.generate(.p256)),
            JWEDecryptionPolicy(algorithms: [.ecdhES], encryptions: [.a256GCM])
        )
        let other = await RequestAuthenticator(policy: policy, transport: transport).authenticate(request, at: Self.now)
        #expect(other.refusal?.check == .requestObject)
    }

    @Test func namesTheKeyAndTheContent() async throws {
        let header = try JWE(compact: try await object(for: try metadata())).protectedHeader
        #expect(header["kid"] == "w1" && header["alg"] == "ECDH-ES" && header["enc"] == "A256GCM")
        #expect(header["cty"] == "JWT")
        let unlisted = try await object(
            for: try metadata { metadata in
                metadata.requestEncryptionAlgorithms = nil
                metadata.requestEncryptions = nil
            }
        )
        #expect(try JWE(compact: unlisted).protectedHeader["enc"] == "A128GCM")
    }

    @Test func encryptsNothingForAWalletWithoutKeysForIt() async throws {
        let signing = try JWK(key.publicKey, keyID: "s1", use: .signature)
        for keys in [nil, JWKSet([signing]), JWKSet([try JWK(key.publicKey, keyID: "s2", algorithm: "ES256")])] {
            let object = try await object(for: try metadata { $0.keys = keys })
            #expect(object.utf8.count { $0 == UInt8(ascii: ".") } == 2)
        }
    }

    @Test func sendsNothingInTheClearToAWalletThatAsksForMore() async throws {
        let changes: [(inout WalletMetadata) -> Void] = [
            { $0.requestEncryptions = [JWEEncryption(rawValue: "A1GCM")] },
            { $0.requestEncryptionAlgorithms = [.rsaOAEP] },
            { $0.requestEncryptionAlgorithms = [JWEAlgorithm(rawValue: "X")] },
        ]
        for change in changes {
            let metadata = try metadata(change)
            let error = await #expect(throws: OID4VPVerifierError.self) { try await object(for: metadata) }
            #expect(error?.code == .invalidWalletMetadata && error?.path.last == "jwks")
        }
    }
}
