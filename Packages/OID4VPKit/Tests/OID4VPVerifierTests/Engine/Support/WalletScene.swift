import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import SDJWTKit
import StatusListKit
import TestSupport
import Testing

@testable import OID4VPVerifier

/// A server with a real relying party, an issuer that it trusts, and a holder with a credential.
struct WalletScene {
    let keys: Keys
    let clock = ManualClock()
    let server: TransactionServer
    let http: InMemoryServer

    static let now = EngineWorld.start
    static let type = "https://credentials.example/id"
    static let query = """
        {"credentials": [{"id": "pid", "format": "dc+sd-jwt", "meta": {"vct_values": ["\(type)"]},
          "claims": [{"path": ["given_name"]}]}]}
        """

    /// The keys of all parties, and the certificate of the relying party.
    struct Keys {
        let holder: SoftwareSigner
        let stranger: SoftwareSigner
        let reader: SoftwareSigner
        let issuer: SoftwareSigner
        let certificate: Certificate

        init() async throws {
            holder = try SoftwareSigner(PrivateKey.generate(.p256))
            stranger = try SoftwareSigner(PrivateKey.generate(.p256))
            reader = try SoftwareSigner(PrivateKey.generate(.p256))
            issuer = try SoftwareSigner(PrivateKey.generate(.p256))
            certificate = try await CertificateBuilder(
                subject: DistinguishedName(commonName: "verifier.example"),
                publicKey: reader.publicKey,
                validity: now - 86_400...now + 86_400
            ).selfSigned(by: reader)
        }
    }

    /// - Parameter source: The source of the relying party, which the server does not have itself then.
    init(
        store: MemorySessionStore? = nil,
        source: (any RelyingPartySource)? = nil,
        _ change: (inout RelyingParty, Keys) async throws -> Void = { _, _ in }
    ) async throws {
        keys = try await Keys()
        var party = RelyingParty(
            client: try .x509Hash(chain: [keys.certificate], signer: keys.reader),
            verifiers: FormatVerifiers(
                sdJWT: SDJWTVerifier(
                    policy: .credential(algorithms: [.es256]),
                    issuerKeys: KnownIssuerKeys(keys.issuer.publicKey),
                    statusChecker: SDJWTStatusChecker { reference, _ in
                        reference.index == 1 ? .revoked : .valid(asOf: Self.now)
                    },
                    clock: { Self.now }
                )
            )
        )
        party.origins = ["https://shop.example"]
        try await change(&party, keys)
        server = try TransactionServer(
            url: "https://verifier.example/oid4vp",
            relyingParties: source == nil ? ["shop": ServedRelyingParty(party)] : [:],
            services: TransactionServices(
                store: store,
                relyingParties: source,
                clock: EngineWorld.sessionClock(clock)
            )
        )
        http = InMemoryServer(try server.engine())
    }

    /// Starts a transaction.
    func start(_ change: (inout TransactionRequest) -> Void = { _ in }) async throws -> StartedTransaction {
        var wish = TransactionRequest(of: "shop", for: try DCQLQuery(json: JSONValue(parsing: Self.query)))
        change(&wish)
        return try await server.start(wish)
    }

    /// The credential of the holder.
    func credential(
        status: JSONValue? = nil,
        signer: SoftwareSigner? = nil,
        holderKey: JWK? = nil
    ) async throws -> SDJWT {
        var claims: JSONObject = [
            "iss": "https://issuer.example", "exp": 1_900_000_000, "given_name": "Erika", "family_name": "Mustermann",
        ]
        claims["status"] = status
        var builder = SDJWTBuilder(credentialType: Self.type, claims: claims)
        try builder.conceal(["given_name"])
        try builder.conceal(["family_name"])
        builder.holderKey = try holderKey ?? JWK(keys.holder.publicKey)
        return try await builder.sign(with: signer ?? keys.issuer)
    }
}

/// The request as a wallet understands it, and its answers.
struct SceneWallet {
    let scene: WalletScene
    let parameters: JSONObject

    /// Finds the request of a link, and fetches it.
    init(_ scene: WalletScene, link: String, post: String? = nil) async throws {
        let response = try await Self.fetch(scene, link: link, post: post)
        #expect(response.status == .ok, "\(response.text)")
        self.scene = scene
        parameters = try Self.verified(response.text, scene)
    }

    /// Takes parameters that came another way.
    init(_ scene: WalletScene, parameters: JSONObject) {
        self.scene = scene
        self.parameters = parameters
    }

    /// The parameters in a request object that the relying party signed.
    static func verified(_ object: String, _ scene: WalletScene) throws -> JSONObject {
        let jws = try JWS(compact: object)
        #expect(try jws.unverifiedHeader().type() == "oauth-authz-req+jwt")
        let verified = try jws.verify(with: scene.keys.reader.publicKey, policy: [.es256])
        return try #require(JSONValue(parsing: verified.payload).objectValue)
    }

    static func fetch(_ scene: WalletScene, link: String, post: String? = nil) async throws -> InMemoryResponse {
        guard case .reference(let reference) = try AuthorizationRequest(url: link).form else {
            throw OID4VPError(.invalidURL, "no reference")
        }
        guard let post else { return try await scene.http.response(to: .get(reference.url.path)) }
        #expect(reference.method == .post)
        return try await scene.http.response(
            to: .post(
                reference.url.path,
                headerFields: [.contentType: "application/x-www-form-urlencoded"],
                body: Array(post.utf8)
            )
        )
    }

    func text(_ name: String) throws -> String { try #require(parameters[name]?.stringValue, "\(name)") }

    /// The content of a Key Binding JWT for this request.
    func keyBinding(_ change: (inout KeyBinding) -> Void = { _ in }) throws -> KeyBinding {
        var binding = KeyBinding(
            audience: try text("client_id"),
            nonce: try text("nonce"),
            issuedAt: WalletScene.now
        )
        change(&binding)
        return binding
    }

    /// A presentation of the name.
    func presentation(
        of credential: SDJWT? = nil,
        _ change: (inout KeyBinding) -> Void = { _ in }
    ) async throws -> String {
        let own = if let credential { credential } else { try await scene.credential() }
        return try await own.presentation(disclosing: [["given_name"]])
            .bound(by: scene.keys.holder, keyBinding(change)).compactSerialization()
    }

    /// Sends presentations as the request asks.
    func send(_ presentation: String) async throws -> InMemoryResponse {
        var content: JSONObject = ["vp_token": ["pid": [.string(presentation)]]]
        content["state"] = parameters["state"]
        return try await post(content)
    }

    /// Sends the parameters of a response as the request asks.
    func post(_ content: JSONObject) async throws -> InMemoryResponse {
        var form = FormParameters()
        if try text("response_mode") == "direct_post.jwt" {
            form.append("response", try encrypted(content))
        } else {
            for (name, value) in content { form.append(name, value.stringValue ?? value.text(.compact)) }
        }
        let path = try text("response_uri").split(separator: "/").dropFirst(2).joined(separator: "/")
        return try await scene.http.response(
            to: .post(
                "/" + path,
                headerFields: [.contentType: "application/x-www-form-urlencoded"],
                body: Array(form.text.utf8)
            )
        )
    }

    func encrypted(_ content: JSONObject) throws -> String {
        let json = try #require(parameters["client_metadata"]?["jwks"]?["keys"]?[0])
        let key = try JWEEncryptionKey.jwk(JWK(json: json), .ecdhES, for: .a256GCM)
        return try JWE.encrypt(JSONValue.object(content).encoded(), to: key, with: .a256GCM).compactSerialization()
    }
}
