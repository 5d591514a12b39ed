#if Server && Client
import CredentialServing
import CredentialServingHummingbird
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import JSONKit
import LoopbackTesting
import OID4VPKit
import OID4VPMessages
import OID4VPTesting
import OID4VPVerifier

/// A server of transactions at a port of loopback, with a requestor and a wallet that reach it over HTTP or TLS.
///
/// Over TLS all addresses are those of the socket. Without it wallet and server use https addresses, as they must, and the
/// connection goes to the port in the clear, as from a proxy in front of the server.
struct SocketWorld: Sendable {
    private static let token = "the-token-of-the-requestor"

    let scene: EndToEndScene
    let transport: any HTTPTransport
    private let origin: String
    private let port: Int

    /// Runs a server while an operation runs.
    ///
    /// - Parameters:
    ///   - identity: The certificate of the server; nil for plain HTTP.
    ///   - store: The store of transactions.
    static func run(
        _ scene: EndToEndScene,
        identity: ServerIdentity? = nil,
        over store: any SessionStore = MemorySessionStore(clock: Self.clock),
        _ operation: @escaping @Sendable (SocketWorld) async throws -> Void
    ) async throws {
        let door = LateEngine()
        let certificate = try identity?.certificate()
        let listener = HummingbirdServer(door, options: HummingbirdServerOptions(port: 0, certificate: certificate))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listener.run() }
            let world = SocketWorld(scene, port: try await listener.port, identity)
            door.open(try world.server(over: store).engine())
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await operation(world))
            } catch {
                outcome = .failure(error)
            }
            group.cancelAll()
            try outcome.get()
        }
    }

    /// The clock of the scene, which stands still.
    static let clock = SessionClock(now: { EndToEndScene.now }, timer: ContinuousClock())

    private init(_ scene: EndToEndScene, port: Int, _ identity: ServerIdentity?) {
        self.scene = scene
        self.port = port
        let localhost = FixedHostResolver([EndToEndScene.host: [IPAddress("127.0.0.1")].compactMap { $0 }])
        let open = AddressGuard(allowing: [.loopback], literalAddresses: true, plainHTTP: true, ports: .any)
        let connector = identity.map { AsyncHTTPClientConnector(tls: $0.clientConfiguration) }
        let base = GuardedHTTPTransport(
            connector: connector ?? AsyncHTTPClientConnector(),
            addressGuard: open,
            resolver: localhost
        )
        if identity != nil {
            origin = "\(EndToEndScene.origin):\(port)"
            transport = PatientTransport(base: base)
        } else {
            origin = EndToEndScene.origin
            transport = PatientTransport(base: PlainTransport(base: base, port: port))
        }
    }

    /// A verifier with every kind of client.
    private func server(over store: any SessionStore) throws -> TransactionServer {
        var parties: [String: ServedRelyingParty] = [:]
        for row in SocketRow.all where parties[row.party] == nil {
            parties[row.party] = ServedRelyingParty(try scene.relyingParty(row.combination))
        }
        let requestor = TransactionRequestor(
            "backend",
            token: SecretBytes(Array(Self.token.utf8)),
            relyingParties: Array(parties.keys)
        )
        return try TransactionServer(
            url: origin + "/oid4vp",
            relyingParties: parties,
            requestors: [requestor],
            services: TransactionServices(store: store, clock: Self.clock)
        )
    }

    // MARK: Requestor

    /// A transaction as the requestor knows it.
    struct Transaction: Sendable {
        let id: String
        let json: JSONValue
    }

    private func post(_ path: String, _ body: JSONValue, statuses: AcceptedStatuses) async throws -> JSONValue {
        var request = HTTPTransportRequest.post(
            try HTTPURL(origin + path),
            body: body.encoded(),
            type: .json,
            accepting: .any,
            statuses: statuses
        )
        try request.setField(.authorization, "Bearer " + Self.token)
        return try JSONValue(parsing: try await transport.response(to: request).body)
    }

    /// Starts a transaction.
    func start(_ row: SocketRow) async throws -> Transaction {
        let json = try await post("/transactions", try row.wish(), statuses: [201])
        return Transaction(id: json["id"]?.stringValue ?? "", json: json)
    }

    /// The page's backend brings the response of the Digital Credentials API.
    private func bring(_ data: JSONObject, for transaction: Transaction) async throws {
        let body: JSONValue = ["origin": .string(EndToEndScene.origin), "data": .object(data)]
        _ = try await post("/transactions/\(transaction.id)/digital-credential", body, statuses: [200])
    }

    /// The result of a transaction that has ended.
    func result(of transaction: Transaction) async throws -> JSONValue {
        try await post("/transactions/\(transaction.id)/result", [:], statuses: [200])
    }

    // MARK: Wallet

    /// A wallet that trusts the certificate of another server.
    func wallet(trusting identity: ServerIdentity) -> SocketWorld { SocketWorld(scene, port: port, identity) }

    /// The wallet's own state of a transaction: nothing but the request as it was authenticated.
    func authenticate(_ transaction: Transaction, _ row: SocketRow) async throws -> AuthenticatedRequest {
        let authenticator = RequestAuthenticator(
            policy: try scene.policy(for: row.combination.version),
            transport: transport
        )
        if let platform = transaction.json["digital_credential"] {
            let request = PlatformRequest(
                protocolIdentifier: ExactText(platform["protocol"]?.stringValue ?? ""),
                data: platform["data"]?.objectValue ?? [:],
                origin: EndToEndScene.origin
            )
            return try await authenticator.authenticate(request, at: scene.time).get()
        }
        let request = try AuthorizationRequest(url: transaction.json["qr_text"]?.stringValue ?? "")
        return try await authenticator.authenticate(request, at: scene.time).get()
    }

    /// The wallet's response goes its way.
    func send(_ response: AuthorizationResponse, for transaction: Transaction) async throws {
        if case .platform(_, let data) = response.delivery {
            try await bring(data, for: transaction)
        } else {
            _ = try await ResponseSender(transport: transport).send(response)
        }
    }
}

/// Waits up to a minute for a server that shares a busy machine with other tests.
private struct PatientTransport: HTTPTransport {
    let base: any HTTPTransport

    func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        var patient = request
        patient.limits.timeout = .seconds(60)
        return try await base.response(to: patient)
    }
}

/// Sends requests for https addresses to a port of this machine, in the clear.
private struct PlainTransport: HTTPTransport {
    let base: GuardedHTTPTransport
    let port: Int

    func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        let address = try HTTPURL("http://127.0.0.1:\(port)\(request.url.path)")
        guard request.method == .post else {
            return try await base.response(
                to: .get(
                    address,
                    accepting: request.accepted,
                    statuses: request.acceptedStatuses,
                    limits: request.limits
                )
            )
        }
        let isForm = request.headerFields[.contentType] == MediaType.form.description
        var post = HTTPTransportRequest.post(
            address,
            body: request.body,
            type: isForm ? .form : .json,
            accepting: request.accepted,
            statuses: request.acceptedStatuses,
            limits: request.limits
        )
        if let token = request.headerFields[.authorization] { try post.setField(.authorization, token) }
        return try await base.response(to: post)
    }
}
#endif
