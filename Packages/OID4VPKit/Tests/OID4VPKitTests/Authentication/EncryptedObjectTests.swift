import CredentialTransport
import CryptoCore
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import Testing

/// Request objects in an encrypted object, whose header stays with the request.
struct EncryptedObjectTests {
    private let scene: RequestScene
    private let key: PrivateKey

    init() throws {
        scene = try RequestScene()
        key = try PrivateKey.generate(.p256)
    }

    private func verification(
        _ header: JOSEHeader,
        _ claims: JSONObject = [:]
    ) async throws -> Verification<AuthenticatedRequest> {
        let recipient = try JWEEncryptionKey.jwk(try JWK(key.publicKey), .ecdhES, for: .a256GCM)
        let object = Array(try await scene.object(claims).utf8)
        let encrypted = try JWE.encrypt(object, to: recipient, with: .a256GCM, header: header)
        var form = FormParameters()
        form.append("client_id", scene.clientID)
        form.append("request", try encrypted.compactSerialization())
        var policy = scene.policy
        policy.decryption = (.privateKey(key), JWEDecryptionPolicy(algorithms: [.ecdhES], encryptions: [.a256GCM]))
        let authenticator = RequestAuthenticator(policy: policy, transport: InMemoryHTTPTransport([:]))
        let request = try AuthorizationRequest(url: "openid4vp://?" + form.text)
        return await authenticator.authenticate(request, at: scene.now)
    }

    @Test func keepTheHeader() async throws {
        for header: JOSEHeader in [["cty": "JWT", "kid": "w1"], ["kid": "w1"]] {
            let request = try await verification(header).get()
            let encryption = try #require(request.encryption)
            #expect(encryption.header["kid"] == "w1" && encryption.encryption == .a256GCM)
        }
        #expect(try await scene.request().encryption == nil)
    }

    /// Claims that the header repeats are those of the content (RFC 7519, section 5.3).
    @Test func refuseOtherClaimsInTheHeader() async throws {
        let repeated: JOSEHeader = ["cty": "JWT", "aud": "https://self-issued.me/v2", "iss": "https://v.example"]
        #expect(try await verification(repeated, ["iss": "https://v.example"]).refusal == nil)
        for claims: JSONObject in [[:], ["iss": "https://w.example"]] {
            let refusal = try await verification(repeated, claims).refusal
            #expect(refusal?.check == .requestObject && refusal?.reason == .claimMismatch)
            #expect(refusal?.path == ["iss"])
        }
    }
}
