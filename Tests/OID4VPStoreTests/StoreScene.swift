import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import OID4VPVerifier
import SDJWTKit
import TestSupport

/// A wallet with one credential, and instances of a verifier over one store.
struct StoreScene {
    private static let origin = "https://verifier.example"

    private let store: any SessionStore
    private let issuer: SoftwareSigner
    private let device: SoftwareSigner
    private let credential: PresentableCredential
    private let signing: RelyingParty
    private let policy: RequestAuthenticationPolicy

    init(_ store: any SessionStore) async throws {
        self.store = store
        issuer = try SoftwareSigner(PrivateKey.generate(.p256))
        device = try SoftwareSigner(PrivateKey.generate(.p256))
        var builder = SDJWTBuilder(
            credentialType: "urn:pid",
            claims: ["iss": "https://issuer.example", "given_name": "Ada", "family_name": "Lovelace"]
        )
        try builder.conceal(["given_name"])
        try builder.conceal(["family_name"])
        builder.holderKey = try JWK(device.publicKey)
        credential = .sdJWT(try SDJWTCredential(name: "pid", try await builder.sign(with: issuer)))

        let now = Self.now
        let key = try SoftwareSigner(PrivateKey.generate(.p256), algorithm: .ecdsaSHA256)
        let validity = now.addingTimeInterval(-3600)...now.addingTimeInterval(3600)
        let root = try await CertificateAuthority.root(
            subject: DistinguishedName(commonName: "Register"),
            signer: SoftwareSigner(PrivateKey.generate(.p256), algorithm: .ecdsaSHA256),
            validity: validity
        )
        let certificate = try await CertificateBuilder(
            subject: try DistinguishedName(commonName: "Verifier"),
            publicKey: key.publicKey,
            validity: validity,
            extensions: [.keyUsage(.digitalSignature), .subjectAlternativeName([.dns("verifier.example")])]
        ).issued(by: root)
        let verifiers = FormatVerifiers(
            sdJWT: SDJWTVerifier(
                policy: .credential(algorithms: [.es256]),
                issuerKeys: KnownIssuerKeys(issuer.publicKey),
                clock: { now }
            )
        )
        var party = RelyingParty(client: try .x509Hash(chain: [certificate], signer: key), verifiers: verifiers)
        party.origins = [Self.origin]
        signing = party
        var policy = RequestAuthenticationPolicy()
        policy.certificates = CertificatePathValidator(anchors: [root.certificate], policy: .requestSigner)
        self.policy = policy
    }

    /// The time of everything in the scene, which stands still: a busy machine does not decide about a test.
    private static let now = Date()
    /// The clock of the verifier, whose deadlines never come.
    private static let clock = SessionClock(now: { now }, timer: ManualClock())
    /// The clock of the stores, which may wait before they try again.
    static let storeClock = SessionClock(now: { now }, timer: ContinuousClock())

    /// Transactions that outlast the time of a server that has a clock of its own.
    private static let options: TransactionServerOptions = {
        var options = TransactionServerOptions(lifetime: .seconds(86_400), resultLifetime: .seconds(86_400))
        options.verificationDeadline = .seconds(86_400)
        return options
    }()

    /// Another instance over the same store: each call of a transaction is served by one that knows nothing else.
    func instance() throws -> TransactionServer {
        let unsigned = RelyingParty(client: .redirectURI, verifiers: signing.verifiers)
        return try TransactionServer(
            url: Self.origin + "/oid4vp",
            relyingParties: ["signing": ServedRelyingParty(signing), "unsigned": ServedRelyingParty(unsigned)],
            options: Self.options,
            services: TransactionServices(store: store, clock: Self.clock)
        )
    }

    static func query() throws -> DCQLQuery {
        try DCQLQuery(
            json: [
                "credentials": [
                    [
                        "id": "q", "format": "dc+sd-jwt", "meta": ["vct_values": ["urn:pid"]],
                        "claims": [["path": ["family_name"]]],
                    ]
                ]
            ]
        )
    }

    /// The network from the wallet to the verifier: each request reaches another instance.
    private var network: InMemoryHTTPTransport {
        InMemoryHTTPTransport { request throws(TransportError) in
            do {
                let http = InMemoryServer(try instance().engine())
                let response = try await http.response(
                    to: InMemoryRequest(
                        request.method,
                        String(request.url.description.dropFirst(Self.origin.count)),
                        headerFields: request.headerFields,
                        body: request.body
                    )
                )
                return InMemoryHTTPAnswer(
                    status: response.status.code,
                    headerFields: response.headerFields,
                    body: response.body
                )
            } catch {
                throw TransportError(.connectionFailed, "the verifier does not answer", cause: error)
            }
        }
    }

    /// The wallet answers the link of a QR code, and sends the same answer again, as if the verifier's had been lost.
    ///
    /// - Returns: The address for the user's browser after each attempt.
    func answer(link: String) async throws -> [String?] {
        let authenticator = RequestAuthenticator(policy: policy, transport: network)
        let request = try AuthorizationRequest(url: link)
        let authenticated = try await authenticator.authenticate(request, at: Self.now).get()
        let response = try await response(to: authenticated)
        var addresses: [String?] = []
        for _ in 0..<2 {
            addresses.append(try await ResponseSender(transport: network).send(response).redirectURI)
        }
        return addresses
    }

    /// The wallet answers a request of the Digital Credentials API.
    ///
    /// - Returns: The object for the page.
    func answer(platform value: JSONValue) async throws -> JSONObject {
        let request = PlatformRequest(
            protocolIdentifier: ExactText(value["protocol"]?.stringValue ?? ""),
            data: value["data"]?.objectValue ?? [:],
            origin: Self.origin
        )
        let authenticator = RequestAuthenticator(policy: policy, transport: network)
        let authenticated = try await authenticator.authenticate(request, at: Self.now).get()
        guard case .platform(_, let data) = try await response(to: authenticated).delivery else {
            throw OID4VPError(.invalidResponse, "the response takes another way")
        }
        return data
    }

    private func response(to authenticated: AuthenticatedRequest) async throws -> AuthorizationResponse {
        let asked = try authenticated.presentationRequest()
        guard let query = asked.query.dcql else { throw OID4VPError(.invalidSelection, "no DCQL query") }
        let responder = AuthorizationResponder(authenticated)
        let binding = try PresentationBinding(authenticated, asked, mdocGeneratedNonce: responder.mdocGeneratedNonce)
        let unsigned = try await PresentationBuilder(asked, binding).prepare(
            try query.evaluate(over: [credential].queryable, at: Self.now).preferredPlan(),
            of: [credential],
            at: Self.now
        )
        return try await responder.response(
            with: try await unsigned.signed(with: [device]),
            to: asked,
            at: Self.now
        )
    }
}
