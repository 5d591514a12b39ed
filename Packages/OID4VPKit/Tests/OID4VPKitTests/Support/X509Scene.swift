import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages

/// A verifier with a certificate of an authority that the wallet trusts.
struct X509Scene {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let root: CertificateAuthority
    let leaf: Certificate
    let signer: SoftwareSigner
    /// The key that responses are encrypted to.
    let encryptionKey: PrivateKey

    init(host: String = "v.example") async throws {
        let validity = now.addingTimeInterval(-86_400)...now.addingTimeInterval(86_400)
        root = try await CertificateAuthority.root(
            subject: DistinguishedName(commonName: "Verifier root"),
            signer: SoftwareSigner(PrivateKey.generate(.p256), algorithm: .ecdsaSHA256),
            validity: validity
        )
        encryptionKey = try PrivateKey.generate(.p256)
        signer = try SoftwareSigner(PrivateKey.generate(.p256), algorithm: .ecdsaSHA256)
        let builder = CertificateBuilder(
            subject: try DistinguishedName(commonName: host),
            publicKey: signer.publicKey,
            validity: validity,
            extensions: [.keyUsage(.digitalSignature), .subjectAlternativeName([.dns(host)])]
        )
        leaf = try await builder.issued(by: root)
    }

    var hashID: String { "x509_hash:" + Base64URL.encode(leaf.fingerprint) }

    var policy: RequestAuthenticationPolicy {
        var policy = RequestAuthenticationPolicy()
        policy.certificates = CertificatePathValidator(anchors: [root.certificate], policy: .requestSigner)
        return policy
    }

    func header(_ certificates: [Certificate]? = nil) -> JOSEHeader {
        var header = JOSEHeader(type: "oauth-authz-req+jwt")
        header.setCertificateChain((certificates ?? [leaf]).map(\.derBytes))
        return header
    }

    /// The parameters of a request that keeps to HAIP.
    func claims(_ key: PrivateKey, _ changes: JSONObject = [:]) throws -> JSONObject {
        var metadata = try RequestScene.metadata(key)
        metadata["encrypted_response_enc_values_supported"] = ["A128GCM", "A256GCM"]
        let claims: JSONObject = [
            "client_id": .string(hashID), "aud": "https://self-issued.me/v2", "response_type": "vp_token",
            "response_mode": "direct_post.jwt", "response_uri": .string(RequestScene.address),
            "nonce": .string(RequestScene.nonce), "state": "s1", "dcql_query": RequestScene.query,
            "client_metadata": .object(metadata),
        ]
        return claims.merging(changes)
    }

    func object(_ claims: JSONObject, _ certificates: [Certificate]? = nil) async throws -> String {
        try await JWT.sign(JWTClaims(claims), header: header(certificates), with: signer).compactSerialization()
    }

    /// The verification of a request that comes by reference.
    func verification(
        _ claims: JSONObject,
        _ policy: RequestAuthenticationPolicy,
        certificates: [Certificate]? = nil,
        byValue: Bool = false
    ) async throws -> Verification<AuthenticatedRequest> {
        let object = try await object(claims, certificates)
        var form = FormParameters()
        form.append("client_id", claims["client_id"]?.stringValue ?? "")
        form.append(byValue ? "request" : "request_uri", byValue ? object : "https://v.example/r")
        let type = try MediaType("application/oauth-authz-req+jwt")
        let transport = InMemoryHTTPTransport(["https://v.example/r": .ok(Array(object.utf8), type: type)])
        return await RequestAuthenticator(policy: policy, transport: transport)
            .authenticate(try AuthorizationRequest(url: "openid4vp://?" + form.text), at: now)
    }
}
