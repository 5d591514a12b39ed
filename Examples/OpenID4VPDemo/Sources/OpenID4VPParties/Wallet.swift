public import Credentials
import Foundation

/// A wallet with a credential of each format.
public struct Wallet: Sendable {
    private let deviceKey: SoftwareSigner
    private let holderKey: SoftwareSigner
    private let credentials: [PresentableCredential]
    private let policy: RequestAuthenticationPolicy

    /// A request that is authenticated, and what would answer it.
    public struct OpenRequest: Sendable {
        fileprivate let authenticated: AuthenticatedRequest
        fileprivate let content: PresentationRequest
        fileprivate let plan: PresentationPlan

        /// The verifier's name.
        public var client: String { authenticated.client.map { "\($0)" } ?? authenticated.audience }

        /// The question for the user.
        public var question: [String] {
            plan.entries.map { entry in
                let claims = entry.match.disclosedPaths.map { "\($0)" }
                return "share of \(entry.match.credential): \(claims.isEmpty ? "all" : claims.joined(separator: ", "))?"
            }
        }
    }

    /// Gets a credential from each issuer.
    ///
    /// - Parameters:
    ///   - issuers: The issuers.
    ///   - authority: The authority behind the certificates of verifiers.
    public static func make(_ issuers: Issuers, trusting authority: Certificate) async throws -> Wallet {
        let deviceKey = try SoftwareSigner(.generate(.p256))
        let holderKey = try SoftwareSigner(.generate(.ed25519))
        let licence = try await issuers.licence(for: deviceKey.publicKey)
        let identity = try await issuers.identity(for: deviceKey.publicKey)
        let membership = try await issuers.membership(of: DID.key(holderKey.publicKey))
        var policy = RequestAuthenticationPolicy()
        policy.certificates = CertificatePathValidator(anchors: [authority], policy: .requestSigner)
        return Wallet(
            deviceKey: deviceKey,
            holderKey: holderKey,
            credentials: [
                .mdoc(MdocCredential(StoredMdoc(id: "my licence", issuerSigned: licence))),
                .sdJWT(try SDJWTCredential(name: "my identity", identity)),
                .w3c(try W3CCredential(name: "my membership", membership)),
            ],
            policy: policy
        )
    }

    /// Reads a QR code, fetches the request, authenticates the verifier and looks for credentials.
    ///
    /// - Parameters:
    ///   - text: The content of the QR code, or a link.
    ///   - transport: Reaches the verifier.
    public func open(_ text: String, over transport: any HTTPTransport) async throws -> OpenRequest {
        let authenticator = RequestAuthenticator(policy: policy, transport: transport)
        let request = try AuthorizationRequest(url: text)
        let authenticated = try await authenticator.authenticate(request, at: Date()).get()
        let content = try authenticated.presentationRequest()
        let plan = try content.evaluate(over: credentials.queryable, at: Date()).preferredPlan()
        return OpenRequest(authenticated: authenticated, content: content, plan: plan)
    }

    /// Presents what was asked for.
    public func answer(_ request: OpenRequest, over transport: any HTTPTransport) async throws {
        let responder = AuthorizationResponder(request.authenticated)
        let binding = try PresentationBinding(
            request.authenticated,
            request.content,
            mdocGeneratedNonce: responder.mdocGeneratedNonce
        )
        let did = try DID.key(holderKey.publicKey)
        let holder = W3CHolder(
            verificationMethod: try DIDURL("\(did.text)#\(did.identifier)"),
            key: holderKey.publicKey,
            suite: .ed25519Signature2020
        )
        let unsigned = try await PresentationBuilder(request.content, binding).prepare(
            request.plan,
            of: credentials,
            keys: HolderKeys(holder: holder),
            at: Date()
        )
        let token = try await unsigned.signed(with: [deviceKey, holderKey])
        let response = try await responder.response(with: token, to: request.content, at: Date())
        _ = try await ResponseSender(transport: transport).send(response)
    }

    /// Tells the verifier that the user declined.
    public func decline(_ request: OpenRequest, over transport: any HTTPTransport) async throws {
        let response = try await AuthorizationResponder(request.authenticated).errorResponse(.accessDenied, at: Date())
        _ = try await ResponseSender(transport: transport).send(response)
    }
}
