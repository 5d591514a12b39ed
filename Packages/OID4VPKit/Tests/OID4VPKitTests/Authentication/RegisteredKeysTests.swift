import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import Synchronization
import TestSupport
import Testing

/// Keys of registered clients at their `jwks_uri`.
struct RegisteredKeysTests {
    private let scene: RequestScene
    private static let address = "https://v.example/jwks"

    init() throws { scene = try RequestScene() }

    private func policy(_ keys: JWKSet = JWKSet([])) throws -> RequestAuthenticationPolicy {
        var policy = RequestAuthenticationPolicy()
        policy.clients = [
            RegisteredClient(
                id: "shop",
                responseAddresses: [ExactText(RequestScene.address)],
                keys: keys,
                keysAddress: try HTTPURL(Self.address)
            )
        ]
        return policy
    }

    private func keys(_ key: PrivateKey, _ id: String) throws -> [UInt8] {
        JWKSet([try JWK(key.publicKey, keyID: id)]).encoded()
    }

    private func url() async throws -> String {
        var form = FormParameters()
        form.append("client_id", "shop")
        form.append("request", try await scene.object(["client_id": "shop"]))
        return "openid4vp://?" + form.text
    }

    private func transport(_ body: [UInt8], type: MediaType = .json) -> InMemoryHTTPTransport {
        InMemoryHTTPTransport([Self.address: .ok(body, type: type)])
    }

    @Test func fetchesKeysOnceAndKeepsThem() async throws {
        let transport = transport(try keys(scene.key, scene.keyID), type: try MediaType("application/jwk-set+json"))
        let authenticator = RequestAuthenticator(policy: try policy(), transport: transport)
        let request = try AuthorizationRequest(url: try await url())
        for seconds in [0.0, 100, 299] {
            let time = scene.now.addingTimeInterval(seconds)
            #expect(await authenticator.authenticate(request, at: time).refusal == nil)
        }
        #expect(transport.requests.map(\.url.description) == [Self.address])
        #expect(await authenticator.authenticate(request, at: scene.now.addingTimeInterval(301)).refusal == nil)
        #expect(transport.requests.count == 2)
    }

    /// The answer says for how long its keys are kept, within the bounds of the options.
    @Test(arguments: [("max-age=100", 100), ("no-store", 60), ("max-age=1000000", 3600)] as [(String, TimeInterval)])
    func keepsKeysForAsLongAsTheAnswerSays(directives: String, lifetime: TimeInterval) async throws {
        let answer = InMemoryHTTPAnswer.ok(try keys(scene.key, scene.keyID), type: .json).caching(directives)
        let transport = InMemoryHTTPTransport([Self.address: answer])
        let authenticator = RequestAuthenticator(policy: try policy(), transport: transport)
        let request = try AuthorizationRequest(url: try await url())
        for (seconds, count) in [(0, 1), (lifetime - 1, 1), (lifetime, 2)] {
            let time = scene.now.addingTimeInterval(seconds)
            #expect(await authenticator.authenticate(request, at: time).refusal == nil)
            #expect(transport.requests.count == count, "\(directives) after \(seconds)")
        }
    }

    @Test func fetchesNothingForAKeyThatIsRegistered() async throws {
        let transport = transport([])
        let registered = JWKSet([try JWK(scene.key.publicKey, keyID: scene.keyID)])
        let authenticator = RequestAuthenticator(policy: try policy(registered), transport: transport)
        let request = try AuthorizationRequest(url: try await url())
        #expect(await authenticator.authenticate(request, at: scene.now).refusal == nil)
        #expect(transport.requests.isEmpty)
    }

    @Test func fetchesNothingForAnotherClient() async throws {
        let transport = transport(try keys(scene.key, scene.keyID))
        let authenticator = RequestAuthenticator(policy: try policy(), transport: transport)
        let object = try await scene.object(["client_id": "other"])
        let request = try AuthorizationRequest(url: "openid4vp://?client_id=other&request=" + object)
        #expect(await authenticator.authenticate(request, at: scene.now).refusal?.reason == .unknownClient)
        #expect(transport.requests.isEmpty)
    }

    @Test func asksAgainForUnknownKeysAtALimitedRate() async throws {
        let other = try PrivateKey.generate(.ed25519)
        let transport = transport(try keys(other, "old"))
        let authenticator = RequestAuthenticator(policy: try policy(), transport: transport)
        let request = try AuthorizationRequest(url: try await url())
        for _ in 0..<3 {
            #expect(await authenticator.authenticate(request, at: scene.now).refusal?.check == .signature)
        }
        #expect(transport.requests.count == 1)
        let later = scene.now.addingTimeInterval(31)
        #expect(await authenticator.authenticate(request, at: later).refusal?.check == .signature)
        #expect(transport.requests.count == 2)
    }

    /// A client that names no key, and has a new one.
    @Test func asksAgainForAKeyWithoutName() async throws {
        let old = try PrivateKey.generate(.ed25519)
        let served = Mutex(JWKSet([try JWK(old.publicKey)]).encoded())
        let transport = InMemoryHTTPTransport { request in .ok(served.withLock { $0 }, type: .json) }
        let authenticator = RequestAuthenticator(policy: try policy(), transport: transport)
        func refusal(by key: PrivateKey, after seconds: TimeInterval) async throws -> Refusal? {
            let claims = JWTClaims(scene.claims.merging(["client_id": "shop"]))
            let header = JOSEHeader(type: "oauth-authz-req+jwt")
            let object = try await JWT.sign(claims, header: header, with: SoftwareSigner(key)).compactSerialization()
            let request = try AuthorizationRequest(url: "openid4vp://?client_id=shop&request=" + object)
            return await authenticator.authenticate(request, at: scene.now.addingTimeInterval(seconds)).refusal
        }
        #expect(try await refusal(by: old, after: 0) == nil)
        let new = try JWK(scene.key.publicKey)
        served.withLock { $0 = JWKSet([new]).encoded() }
        #expect(try await refusal(by: scene.key, after: 31) == nil)
        #expect(transport.requests.count == 2)
        // Strangers cause no more requests than others do.
        for _ in 0..<3 {
            let stranger = try PrivateKey.generate(.ed25519)
            #expect(try await refusal(by: stranger, after: 32)?.check == .signature)
        }
        #expect(transport.requests.count == 2)
    }

    @Test func saysThatKeysAreUnavailable() async throws {
        let request = try AuthorizationRequest(url: try await url())
        for answer in [InMemoryHTTPAnswer(status: 404), .redirect(to: "https://v.example/k")] {
            let transport = InMemoryHTTPTransport([Self.address: answer])
            let authenticator = RequestAuthenticator(policy: try policy(), transport: transport)
            let refusal = await authenticator.authenticate(request, at: scene.now).refusal
            #expect(refusal?.check == .signature && refusal?.isUnavailable == true)
            #expect(transport.requests.count == 1)
        }
        let secret = Array("{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AA\",\"d\":\"AA\"}]}".utf8)
        let large = [UInt8](repeating: 0x20, count: (64 << 10) + 1)
        for body in [secret, Array("{".utf8), Array("[]".utf8), large] {
            let authenticator = RequestAuthenticator(policy: try policy(), transport: transport(body))
            #expect(await authenticator.authenticate(request, at: scene.now).refusal?.check == .signature)
        }
    }
}
