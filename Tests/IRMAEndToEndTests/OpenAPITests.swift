#if Server && Client
import CredentialServing
import Foundation
import HTTPTypes
import IRMAClient
import IRMAMessages
import IRMAServer
import ServingContracts
import Testing

/// Every answer that the description of the endpoints names, from a server that gives it.
struct OpenAPITests {
    private typealias Parties = EndToEndParties

    /// Calls of servers over one store, and the operations and statuses that were seen.
    private final class Caller {
        let document: OpenAPIDocument
        private let operations: [String: OpenAPIDocument.Operation]
        private(set) var seen: Set<String> = []

        init() throws {
            let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
            document = try OpenAPIDocument(atPath: root.appending(path: "Packages/IRMAProtocol/openapi.yaml").path)
            operations = document.operations
        }

        /// Every operation with each of its statuses.
        var documented: Set<String> {
            Set(operations.flatMap { name, operation in operation.statuses.map { "\(name) \($0)" } })
        }

        /// Calls an operation, and expects a status and an answer as the document describes it.
        @discardableResult
        func call(
            _ name: String,
            _ token: String = "",
            of server: InMemoryServer,
            authorization: String? = nil,
            _ body: String = "",
            type: String = "application/json",
            expecting status: Int,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> InMemoryResponse {
            let operation = try #require(operations[name], sourceLocation: sourceLocation)
            let path = operation.path.replacing("{token}", with: token).replacing("{clientToken}", with: token)
            var fields: HTTPFields = [.contentType: type]
            fields[.authorization] = authorization
            let method = try #require(HTTPRequest.Method(operation.method))
            let request = InMemoryRequest(method, path, headerFields: fields, body: Array(body.utf8))
            let response: InMemoryResponse
            if name.hasSuffix("Events"), status == 200 {
                // The rest of a stream comes when something happens.
                let exchange = server.open(request)
                response = InMemoryResponse(head: try await exchange.head(), body: [])
                exchange.disconnect()
            } else {
                response = try await server.response(to: request)
            }
            let text = String(decoding: response.body, as: UTF8.self)
            #expect(response.status.code == status, "\(name): \(text)", sourceLocation: sourceLocation)
            let faults = document.faults(
                in: response.body,
                contentType: response.headerFields[.contentType],
                status: response.status.code,
                of: operation
            )
            #expect(faults.isEmpty, "\(name) \(status): \(text)", sourceLocation: sourceLocation)
            seen.insert("\(name) \(response.status.code)")
            return response
        }
    }

    /// Another server over the same sessions.
    private func server(
        _ world: EndToEndWorld,
        requestors: RequestorRegistry = .unauthenticated(permissions: .all, requiresPrivateKeys: false),
        signs: Bool = false,
        hasEvents: Bool = true,
        store: (any SessionStore)? = nil,
        authority: RevocationAuthorityService? = nil
    ) throws -> InMemoryServer {
        var options = SessionServerOptions(mode: .development)
        options.offersEventStreams = hasEvents
        let server = try SessionServer(
            url: world.url + "/irma/",
            material: world.server.material,
            requestors: requestors,
            options: options,
            services: SessionServices(
                store: store ?? world.store,
                resultSigner: signs ? world.parties.keyshareSigner : nil,
                revocationAuthority: authority,
                clock: world.time.clock
            )
        )
        return InMemoryServer(try server.engine())
    }

    private static let unknown = "AAAAAAAAAAAAAAAAAAAA"
    private static func text(_ message: some IRMAMessage) throws -> String {
        String(decoding: try message.encoded(), as: UTF8.self)
    }

    @Test func everyAnswerIsAsDescribed() async throws {
        try await EndToEndWorld.run { world in
            let caller = try Caller()
            try await callRequestorEndpoints(caller, world)
            try await callFrontendEndpoints(caller, world)
            try await exceedTheLimit(caller, world)
            #expect(caller.seen == caller.documented)
            #expect(caller.documented.count > 40)
        }
    }

    private func callRequestorEndpoints(_ caller: Caller, _ world: EndToEndWorld) async throws {
        let plain = InMemoryServer(try world.server.engine())
        let signing = try server(world, signs: true)
        let request = try Self.text(Parties.nameRequest)
        try await caller.call("health", of: plain, expecting: 200)
        try await caller.call("publicKey", of: signing, expecting: 200)
        try await caller.call("publicKey", of: plain, expecting: 501)
        try await start(request, caller, world)
        let package = try await world.server.start(Parties.nameRequest)
        for operation in ["sessionStatus", "sessionStatusEvents", "sessionResult"] {
            try await caller.call(operation, package.token, of: plain, expecting: 200)
            try await caller.call(operation, Self.unknown, of: plain, expecting: 400)
        }
        try await caller.call("sessionStatusEvents", package.token, of: server(world, hasEvents: false), expecting: 500)
        try await world.walletWithCard().finish(package)
        try await caller.call("sessionStatusEvents", package.token, of: plain, expecting: 403)
        try await caller.call("sessionResult", package.token, of: plain, expecting: 200)
        for operation in ["signedResult", "legacySignedResult"] {
            try await caller.call(operation, package.token, of: signing, expecting: 200)
            try await caller.call(operation, Self.unknown, of: signing, expecting: 400)
            try await caller.call(operation, package.token, of: plain, expecting: 500)
        }
        let other = try await world.server.start(Parties.nameRequest)
        try await caller.call("cancelSession", other.token, of: plain, expecting: 200)
        try await caller.call("cancelSession", Self.unknown, of: plain, expecting: 400)
        try await caller.call("sessionResult", other.token, of: plain, expecting: 200)
        try await revoke(caller, world)
    }

    private func start(_ request: String, _ caller: Caller, _ world: EndToEndWorld) async throws {
        let plain = InMemoryServer(try world.server.engine())
        let forbidden = try server(world, requestors: .unauthenticated(permissions: .none, requiresPrivateKeys: false))
        let closed = MemorySessionStore(clock: world.time.clock)
        await closed.close()
        try await caller.call("startSession", of: plain, request, expecting: 200)
        try await caller.call("startSession", of: plain, "{", expecting: 400)
        try await caller.call("startSession", of: forbidden, request, expecting: 403)
        try await caller.call("startSession", of: server(world, store: closed), request, expecting: 500)
        let wish = #"{"callbackUrl": "https://shop.example/", "request": \#(request)}"#
        try await caller.call("startSession", of: server(world), wish, expecting: 501)
    }

    private func revoke(_ caller: Caller, _ world: EndToEndWorld) async throws {
        let plain = InMemoryServer(try world.server.engine())
        let forbidden = try server(world, requestors: .unauthenticated(permissions: .none, requiresPrivateKeys: false))
        try await world.wallet().finish(world.server.start(Parties.passIssuance("1")))
        let request = try Self.text(RevocationRequest(Parties.pass, revocationKey: "1"))
        try await caller.call("revoke", of: plain, "{", expecting: 400)
        try await caller.call("revoke", of: forbidden, request, expecting: 403)
        try await caller.call("revoke", of: server(world), request, expecting: 403)
        // An authority whose private key is gone.
        let keyless = RevocationAuthorityService(
            roles: [Parties.pass: [.server, .authority]],
            records: world.records,
            issuerKeys: IssuerKeyRing(),
            clock: world.time.clock
        )
        try await caller.call("revoke", of: server(world, authority: keyless), request, expecting: 500)
        try await caller.call("revoke", of: plain, request, expecting: 200)
        // Nothing is left to revoke.
        try await caller.call("revoke", of: plain, request, expecting: 404)
    }

    /// Behind a rate limit, every operation may be refused.
    private func exceedTheLimit(_ caller: Caller, _ world: EndToEndWorld) async throws {
        let limiter = RateLimiter(try RateLimit(1, per: .seconds(60)), maximumCount: 10)
        let policy = try SessionServer.crossOriginPolicy()
        let engine = try world.server.engine().limited(by: limiter, cors: policy) { refusal, _ in
            SessionServer.response(limitedBy: refusal)
        }
        let limited = InMemoryServer(engine)
        try await caller.call("health", of: limited, expecting: 200)
        for name in caller.document.operations.keys.sorted() {
            let response = try await caller.call(name, Self.unknown, of: limited, expecting: 429)
            #expect(response.headerFields[.retryAfter].flatMap { Int($0) }.map { (1...60).contains($0) } == true)
            #expect(try RemoteError(decoding: response.body).name == .tooManyRequests)
        }
    }

    private func callFrontendEndpoints(_ caller: Caller, _ world: EndToEndWorld) async throws {
        let plain = InMemoryServer(try world.server.engine())
        let quiet = try server(world, hasEvents: false)
        let package = try await world.server.start(Parties.nameRequest)
        let token = package.pointer.url.split(separator: "/").last.map(String.init) ?? ""
        let authorization = try #require(package.frontend?.authorization)
        let method = #"{"@context": "https://irma.app/ld/request/frontendoptions/v1", "pairingMethod": "pin"}"#
        for operation in ["frontendStatus", "frontendStatusEvents", "completePairing"] {
            try await caller.call(operation, token, of: plain, authorization: "x", expecting: 403)
            try await caller.call(operation, Self.unknown, of: plain, authorization: authorization, expecting: 400)
        }
        for operation in ["frontendStatus", "frontendStatusEvents"] {
            try await caller.call(operation, token, of: plain, authorization: authorization, expecting: 200)
        }
        try await caller.call("frontendStatusEvents", token, of: quiet, authorization: authorization, expecting: 500)
        try await caller.call("setFrontendOptions", token, of: plain, authorization: "x", method, expecting: 403)
        try await caller.call("setFrontendOptions", token, of: plain, authorization: authorization, "{", expecting: 400)
        try await caller.call(
            "setFrontendOptions",
            token,
            of: plain,
            authorization: authorization,
            method,
            expecting: 200
        )
        try await caller.call("completePairing", token, of: plain, authorization: authorization, expecting: 403)
        let session = try await world.walletWithCard().session(with: package.pointer)
        _ = try await session.start()
        try await caller.call("completePairing", token, of: plain, authorization: authorization, expecting: 204)
        await session.cancel()
    }
}
#endif
