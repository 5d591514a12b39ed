import CredentialTesting
import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import OID4VPTesting
import TestSupport

/// The peer's verifier, and our wallet that trusts it.
struct PeerVerifierWorld: Sendable {
    static let shared = Task { try await PeerVerifierWorld() }

    /// A session of the peer's verifier.
    struct Session: Sendable {
        let name: String
        let link: String
    }

    private let scene: EndToEndScene
    private let peer: PythonPeer
    private let policy: RequestAuthenticationPolicy
    private let transport: InMemoryHTTPTransport

    init() async throws {
        let scene = try await EndToEndScene(at: Date())
        let peer = try await PythonPeer()
        let made = try await peer.run([
            "do": "make_verifier",
            "issuer": .object(try JWK(scene.issuer.publicKey).members),
            "issuer_did": .string(try DID.key(scene.issuer.publicKey).text),
            "iaca": .string(scene.pki.iaca.certificate.derBytes.hex),
        ])
        let root = try Certificate(der: [UInt8](hex: made["root"]?.stringValue ?? "") ?? [])
        var policy = RequestAuthenticationPolicy()
        policy.certificates = CertificatePathValidator(anchors: [root], policy: .requestSigner)
        policy.walletMetadata = WalletMetadata(
            formats: [.sdJWT: .init(), .mdoc: .init(), .linkedData: .init(), .jwt: .init()]
        )
        transport = InMemoryHTTPTransport { request throws(TransportError) in
            do {
                return try await Self.answer(request, of: peer)
            } catch {
                throw TransportError(.connectionFailed, "the peer does not answer", cause: error)
            }
        }
        self.scene = scene
        self.peer = peer
        self.policy = policy
    }

    private static func answer(
        _ request: HTTPTransportRequest,
        of peer: PythonPeer
    ) async throws -> InMemoryHTTPAnswer {
        let answer = try await peer.run([
            "do": "serve", "method": .string(request.method.rawValue), "path": .string(request.url.path),
            "type": .string(request.headerFields[.contentType] ?? ""),
            "body": .string(String(decoding: request.body, as: UTF8.self)),
        ])
        let status = try answer["status"]?.numberValue?.integer(as: Int.self)
        return InMemoryHTTPAnswer(
            status: status ?? 500,
            headerFields: [.contentType: answer["type"]?.stringValue ?? ""],
            body: Array((answer["body"]?.stringValue ?? "").utf8)
        )
    }

    func start(
        _ formats: [CredentialFormat],
        isEncrypted: Bool,
        delivery: String,
        _ members: JSONObject = [:]
    ) async throws -> Session {
        var task = members
        task["do"] = "start"
        task["query"] = try PeerWalletWorld.query(formats).json
        task["encrypted"] = .bool(isEncrypted)
        task["delivery"] = .string(delivery)
        let started = try await peer.run(.object(task))
        return Session(name: started["session"]?.stringValue ?? "", link: started["link"]?.stringValue ?? "")
    }

    /// The number of fetches, and the claims or the refusal.
    func result(of session: Session) async throws -> JSONValue {
        try await peer.run(["do": "result", "session": .string(session.name)])
    }

    // MARK: Wallet

    func authenticate(_ session: Session) async throws -> Verification<AuthenticatedRequest> {
        let request = try AuthorizationRequest(url: session.link)
        return await RequestAuthenticator(policy: policy, transport: transport).authenticate(request, at: Date())
    }

    func response(to session: Session) async throws -> AuthorizationResponse {
        try await scene.response(to: try await authenticate(session).get(), at: Date())
    }

    @discardableResult
    func send(_ response: AuthorizationResponse) async throws -> VerifierAnswer {
        try await ResponseSender(transport: transport).send(response)
    }

    /// Posts presentations with the state of a session, and returns the status of the answer.
    func post(token: String, to session: Session) async throws -> Int {
        let asked = try await authenticate(session).get().presentationRequest()
        var form = FormParameters()
        form.append("vp_token", token)
        form.append("state", asked.state ?? "")
        let request = HTTPTransportRequest.post(
            try HTTPURL("https://verifier.example/response/\(session.name)"),
            body: Array(form.text.utf8),
            type: .form,
            accepting: .any,
            statuses: [200, 400]
        )
        return try await transport.response(to: request).status
    }
}
