import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import Testing

/// A verifier that a wallet trusts by its DID, and requests of it.
struct RequestScene {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let key: PrivateKey
    let signer: SoftwareSigner
    let did: DID

    static let address = "https://v.example/post"
    static let nonce = "n-0S6_WzA2Mj"
    static let query: JSONValue = ["credentials": [["id": "pid", "format": "dc+sd-jwt", "meta": [:]]]]
    static let token = VPToken.queries([VPToken.Answer(query: "pid", presentations: ["a~b~c"])])

    init() throws {
        key = try PrivateKey.generate(.ed25519)
        signer = try SoftwareSigner(key, algorithm: .ed25519)
        did = try DID.key(key.publicKey)
    }

    var clientID: String { "decentralized_identifier:" + did.text }
    var keyID: String { "\(did.text)#\(did.identifier)" }

    var policy: RequestAuthenticationPolicy {
        var policy = RequestAuthenticationPolicy()
        policy.resolver = DIDMethods.local
        return policy
    }

    /// The parameters of a signed request by `direct_post`.
    var claims: JSONObject {
        [
            "client_id": .string(clientID), "aud": "https://self-issued.me/v2", "response_type": "vp_token",
            "response_mode": "direct_post", "response_uri": .string(Self.address), "nonce": .string(Self.nonce),
            "state": "s1", "dcql_query": Self.query,
        ]
    }

    func object(_ changes: JSONObject = [:], without removed: [String] = []) async throws -> String {
        var members = claims
        for (name, value) in changes { members[name] = value }
        for name in removed { members[name] = nil }
        let header = JOSEHeader(type: "oauth-authz-req+jwt", keyID: keyID)
        return try await JWT.sign(JWTClaims(members), header: header, with: signer).compactSerialization()
    }

    func verification(
        _ changes: JSONObject = [:],
        without removed: [String] = [],
        policy: RequestAuthenticationPolicy? = nil,
        options: RequestReadingOptions = .strict,
        endpoint: InteractiveEndpoint? = nil
    ) async throws -> Verification<AuthenticatedRequest> {
        var form = FormParameters()
        form.append("client_id", clientID)
        form.append("request", try await object(changes, without: removed))
        let authenticator = RequestAuthenticator(
            policy: policy ?? self.policy,
            transport: InMemoryHTTPTransport([:]),
            options: options
        )
        return await authenticator.authenticate(
            try AuthorizationRequest(url: "openid4vp://?" + form.text, options: options),
            interactiveEndpoint: endpoint,
            at: now
        )
    }

    /// The request, authenticated.
    func request(
        _ changes: JSONObject = [:],
        without removed: [String] = [],
        policy: RequestAuthenticationPolicy? = nil,
        endpoint: InteractiveEndpoint? = nil
    ) async throws -> AuthenticatedRequest {
        try await verification(changes, without: removed, policy: policy, endpoint: endpoint).get()
    }

    /// A request by Presentation Exchange of draft 21, whose client is registered with its key.
    func draftRequest(_ changes: JSONObject) async throws -> AuthenticatedRequest {
        var policy = policy
        policy.clients = [
            RegisteredClient(
                id: "shop",
                responseAddresses: [ExactText(Self.address)],
                keys: JWKSet([try JWK(key.publicKey, keyID: keyID)]),
                metadata: changes["client_metadata"]?.objectValue
            )
        ]
        var members = changes
        members["client_metadata"] = nil
        members["client_id"] = "shop"
        members["client_id_scheme"] = "pre-registered"
        members["presentation_definition"] = [
            "id": "pd", "input_descriptors": [["id": "d1", "constraints": [:]]],
        ]
        var form = FormParameters()
        form.append("client_id", "shop")
        form.append("client_id_scheme", "pre-registered")
        form.append("request", try await object(members, without: ["dcql_query"]))
        let authenticator = RequestAuthenticator(policy: policy, transport: InMemoryHTTPTransport([:]))
        return try await authenticator.authenticate(
            try AuthorizationRequest(url: "openid4vp://?" + form.text),
            at: now
        ).get()
    }

    /// The answer to the definition of ``draftRequest(_:)``.
    static let submitted = VPToken.definition(
        presentations: ["a~b~"],
        submission: PresentationSubmission(
            id: "s",
            definition: "pd",
            entries: [PresentationSubmission.Entry(descriptor: "d1", format: "vc+sd-jwt", path: "$")]
        )
    )

    /// Metadata of a verifier of 1.0 with a key for encryption, which is given by its private part.
    static func metadata(_ key: PrivateKey, _ algorithm: String = "ECDH-ES") throws -> JSONObject {
        var members = try JWK(key.publicKey, keyID: "e1").members
        members["alg"] = .string(algorithm)
        members["use"] = "enc"
        return [
            "jwks": ["keys": [.object(members)]], "encrypted_response_enc_values_supported": ["A256GCM"],
            "vp_formats_supported": ["dc+sd-jwt": [:]],
        ]
    }
}

/// The content of an encrypted response, and the header that it came with.
func decrypted(_ text: String, with key: PrivateKey) async throws -> (content: [UInt8], header: JOSEHeader) {
    let jwe = try JWE(compact: text)
    let policy = JWEDecryptionPolicy(
        algorithms: EncryptionSupport.default.algorithms,
        encryptions: EncryptionSupport.default.encryptions
    )
    return (try await jwe.decrypt(with: .privateKey(key), policy: policy).plaintext, jwe.protectedHeader)
}
