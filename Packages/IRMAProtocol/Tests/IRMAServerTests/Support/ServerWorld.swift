import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JSONKit
import Testing

@testable import IRMAServer

/// A server, its HTTP, its time and what it sends to requestors.
struct ServerWorld {
    let scene: ServerScene
    let time: TestTime
    let server: SessionServer
    let http: InMemoryServer
    let callbacks: InMemoryHTTPTransport

    static let callbackGuard = AddressGuard(plainHTTP: true, ports: .any)

    /// The settings that a test may change before the server is made.
    struct Setup {
        var url = "https://shop.example/irma/"
        var options = SessionServerOptions()
        var requestors = RequestorRegistry.unauthenticated(permissions: .all, requiresPrivateKeys: false)
        var staticSessions: [String: RequestorMessage] = [:]
        /// The material in place of the scene's.
        var material: ServerMaterial?
        var store: (any SessionStore)?
        var signer: (any Signer)?
        var hasTransport = true
        var timestampKeys: (any TimestampKeySource)?
        var revocation: (any RevocationUpdateSource)?
        var authority: ((TestTime) -> RevocationAuthorityService)?
        var copyIssuer: (any SDJWTCopyIssuer)?
        var materialSource: (any ServerMaterialSource)?
        var observer: SessionObserver?
        var randomness: any RandomSource = .system
        var time = TestTime(ServerScene.now)
        var callbackHandler: InMemoryHTTPTransport.Handler = { _ throws(TransportError) in
            InMemoryHTTPAnswer(status: 204)
        }
    }

    init(_ change: (inout Setup) -> Void = { _ in }) throws {
        scene = try ServerScene.shared.get()
        var setup = Setup()
        // The club's scheme is no demonstration, so that production mode demands more; tests of that say so.
        setup.options.hasSeparateRequestorListener = true
        change(&setup)
        time = setup.time
        callbacks = InMemoryHTTPTransport(addressGuard: Self.callbackGuard, handler: setup.callbackHandler)
        var keys = TimestampKeys()
        keys.add(
            try TimestampKey(rawRepresentation: try #require(scene.timestampSigner.publicKey.rawRepresentation)),
            of: ServerScene.timestampServer
        )
        server = try SessionServer(
            url: setup.url,
            material: setup.material ?? scene.material,
            requestors: setup.requestors,
            staticSessions: setup.staticSessions,
            options: setup.options,
            services: SessionServices(
                store: setup.store,
                resultSigner: setup.signer,
                transport: setup.hasTransport ? callbacks : nil,
                timestampKeys: setup.timestampKeys ?? TrustedTimestampKeys(keys),
                revocation: setup.revocation,
                revocationAuthority: setup.authority?(time),
                copyIssuer: setup.copyIssuer,
                observer: setup.observer,
                materialSource: setup.materialSource,
                clock: time.sessionClock,
                using: setup.randomness
            )
        )
        http = InMemoryServer(try server.engine())
    }

    func start(
        _ request: SessionRequest = ServerScene.nameRequest,
        _ change: (inout RequestorOptions) -> Void = { _ in }
    ) async throws -> SessionPackage {
        var options = RequestorOptions()
        change(&options)
        return try await server.start(request, options: options)
    }

    func response(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ fields: HTTPFields = [:],
        _ body: [UInt8] = []
    ) async throws -> InMemoryResponse {
        try await http.response(to: InMemoryRequest(method, path, headerFields: fields, body: body))
    }

    func wallet(_ package: SessionPackage, authorization: String? = "wallet") -> TestWallet {
        TestWallet(world: self, package: package, authorization: authorization)
    }

    /// A signature that shows the card's name, with its timestamp.
    func signature(of wallet: TestWallet) async throws -> SignedMessage {
        let prepared = try PreparedSignature(
            of: await wallet.request(from: "2.5"),
            showing: [IdemixDisclosureRequest(scene.card(), disclosing: [2])],
            indices: [[AttributePosition(credential: 0, attribute: 2)]],
            schemes: scene.material.schemes
        )
        return try prepared.completed(with: stamp(for: prepared))
    }

    /// The timestamp of a signature, made by the timestamp server.
    func stamp(for prepared: PreparedSignature) throws -> SignatureTimestamp {
        let signer = scene.timestampSigner
        var stamp = SignatureTimestamp(
            time: Int64(ServerScene.now.timeIntervalSince1970),
            serverURL: ServerScene.timestampServer,
            signature: SignatureTimestamp.Signature(
                algorithm: SignatureTimestamp.ed25519,
                data: [],
                publicKey: try #require(signer.publicKey.rawRepresentation)
            )
        )
        stamp.signature.data = try signer.signature(for: stamp.signedBytes(nonce: prepared.timestampRequest.nonce))
        return stamp
    }
}

/// A wallet at one session.
struct TestWallet {
    let world: ServerWorld
    let package: SessionPackage
    let authorization: String?

    var path: String { "/irma/session/" + token }
    var token: String { package.pointer.url.split(separator: "/").last.map(String.init) ?? "" }

    private var fields: HTTPFields { authorization.map { [.authorization: $0] } ?? [:] }

    /// The first message of the server.
    func connect(from oldest: String? = "2.4", to newest: String? = "2.9") async throws -> InMemoryResponse {
        var fields = fields
        fields[.irmaMinimumVersion] = oldest
        fields[.irmaMaximumVersion] = newest
        return try await world.response(.get, path + "/", fields)
    }

    /// The request of the session.
    func request(from oldest: String = "2.4", to newest: String = "2.9") async throws -> SessionRequest {
        let response = try await connect(from: oldest, to: newest)
        #expect(response.status == .ok, "\(response.text)")
        return try #require(SessionRequest.firstMessage(decoding: response.body).request)
    }

    func get(_ endpoint: String) async throws -> InMemoryResponse {
        try await world.response(.get, "\(path)/\(endpoint)", fields)
    }

    func post(_ endpoint: String, _ body: [UInt8]) async throws -> InMemoryResponse {
        try await world.response(.post, "\(path)/\(endpoint)", fields, body)
    }

    func post(_ endpoint: String, _ message: some IRMAMessage) async throws -> InMemoryResponse {
        try await post(endpoint, message.encoded())
    }

    /// The proofs for a request: credentials with the base indices to show.
    func proofs(
        _ shown: [(IdemixCredential, Set<Int>)],
        _ indices: [[(Int, Int)]],
        for request: SessionRequest
    ) throws -> DisclosureResponse {
        let builder = IdemixProofListBuilder()
        for (credential, disclosed) in shown {
            try builder.add(IdemixDisclosureRequest(credential, disclosing: disclosed))
        }
        return DisclosureResponse(
            proofs: try shown.isEmpty ? IdemixProofList([]) : builder.prove(challenge: request.parameters.challenge()),
            indices: indices.map { $0.map { AttributePosition(credential: $0.0, attribute: $0.1) } }
        )
    }

    /// Shows the name on a card.
    func showName(_ card: IdemixCredential? = nil) async throws -> InMemoryResponse {
        let request = try await request()
        return try await post("proofs", proofs([(card ?? world.scene.card(), [2])], [[(0, 2)]], for: request))
    }

    /// The commitments for the credentials of a request, behind disclosures.
    func commitments(
        for request: SessionRequest,
        showing shown: [(IdemixCredential, Set<Int>)] = [],
        _ indices: [[(Int, Int)]]? = nil
    ) throws -> (IssuanceCommitments, [PendingIdemixCredential]) {
        let builder = IdemixProofListBuilder()
        for (credential, disclosed) in shown {
            try builder.add(IdemixDisclosureRequest(credential, disclosing: disclosed))
        }
        var pending: [PendingIdemixCredential] = []
        for credential in request.credentials {
            let type = try #require(world.scene.material.schemes.credentialType(credential.credential))
            pending.append(
                try builder.addIssuance(
                    publicKey: world.scene.keys.publicKey,
                    secretKey: world.scene.secretKey,
                    blindIndices: type.blindIndices
                )
            )
        }
        let commitments = IssuanceCommitments(
            combinedProofs: try builder.prove(challenge: request.parameters.challenge()),
            nonce: 4711,
            indices: indices?.map { $0.map { AttributePosition(credential: $0.0, attribute: $0.1) } }
        )
        return (commitments, pending)
    }
}

extension InMemoryResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    func json() throws -> JSONValue { try JSONValue(parsing: body) }
}

/// Expects the answer of an error: status, name and description.
func expectError(
    _ name: RemoteError.Name,
    in response: InMemoryResponse,
    description: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let error = try RemoteError(decoding: response.body)
    #expect(error.name == name, "\(response.text)", sourceLocation: sourceLocation)
    #expect(response.status.code == name.status, sourceLocation: sourceLocation)
    #expect(error.status == name.status, sourceLocation: sourceLocation)
    #expect(error.summary == description ?? name.summary, sourceLocation: sourceLocation)
    #expect(error.stackTrace == nil, sourceLocation: sourceLocation)
}

/// Expects an error of the server in this process.
func expectError<Value>(
    _ name: RemoteError.Name,
    _ message: String? = nil,
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    let error = await #expect(throws: RemoteError.self, sourceLocation: sourceLocation) { _ = try await body() }
    #expect(error?.name == name, "\(String(describing: error))", sourceLocation: sourceLocation)
    if let message {
        #expect(
            error?.message?.contains(message) == true,
            "\(String(describing: error))",
            sourceLocation: sourceLocation
        )
    }
}
