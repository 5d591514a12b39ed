import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import TestSupport
import Testing

@testable import OID4VPVerifier

/// A server of transactions, its HTTP, its time and what it sends to requestors.
struct EngineWorld {
    let party: ScriptedParty
    let clock: ManualClock
    let store: any SessionStore
    let server: TransactionServer
    let http: InMemoryServer
    let callbacks: InMemoryHTTPTransport
    private let signer: (any Signer)?

    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    static let token = "requestor-token-1"
    static let otherToken = "requestor-token-2"

    /// The settings that a test may change before the server is made.
    struct Setup {
        var party = ScriptedParty()
        /// The names of the relying parties, all of them served by the party.
        var names: Set<String> = ["shop", "bank"]
        var options = TransactionServerOptions()
        var clock = ManualClock()
        /// The clock of the process's timers; nil for the clock of the world.
        ///
        /// One that stands still is a process that is gone.
        var timer: ManualClock?
        var store: (any SessionStore)?
        var signer: (any Signer)?
        var hasTransport = true
        var observer: TransactionObserver?
        var callbackGuard = AddressGuard()
        var callbackHandler: InMemoryHTTPTransport.Handler = { _ throws(TransportError) in
            InMemoryHTTPAnswer(status: 204)
        }
    }

    static func sessionClock(_ clock: ManualClock, timer: ManualClock? = nil) -> SessionClock {
        SessionClock(
            now: {
                let (seconds, attoseconds) = clock.now.offset.components
                return start + Double(seconds) + Double(attoseconds) * 1e-18
            },
            timer: timer ?? clock
        )
    }

    init(_ change: (inout Setup) throws -> Void = { _ in }) throws {
        var setup = Setup()
        try change(&setup)
        party = setup.party
        clock = setup.clock
        store = setup.store ?? MemorySessionStore(clock: Self.sessionClock(setup.clock))
        signer = setup.signer
        callbacks = InMemoryHTTPTransport(addressGuard: setup.callbackGuard, handler: setup.callbackHandler)
        server = try Self.server(setup, store, callbacks)
        http = InMemoryServer(try server.engine())
    }

    private static func server(
        _ setup: Setup,
        _ store: any SessionStore,
        _ callbacks: InMemoryHTTPTransport
    ) throws -> TransactionServer {
        let requestors = [("backend", token, ["shop"]), ("other", otherToken, ["shop", "bank"])]
        return try TransactionServer(
            url: "https://verifier.example/oid4vp",
            parties: Dictionary(uniqueKeysWithValues: setup.names.map { ($0, setup.party) }),
            requestors: requestors.compactMap { name, token, parties in
                let known = parties.filter(setup.names.contains)
                guard !known.isEmpty else { return nil }
                return TransactionRequestor(name, token: SecretBytes(Array(token.utf8)), relyingParties: known)
            },
            options: setup.options,
            services: TransactionServices(
                store: store,
                resultSigner: setup.signer,
                transport: setup.hasTransport ? callbacks : nil,
                observer: setup.observer,
                clock: sessionClock(setup.clock, timer: setup.timer)
            )
        )
    }

    /// The same world after a restart: another server over the same store and clock.
    ///
    /// - Parameter change: Changes the settings of the new server.
    func restarted(_ change: (inout Setup) throws -> Void = { _ in }) throws -> EngineWorld {
        try EngineWorld {
            $0.party = party
            $0.clock = clock
            $0.store = store
            $0.signer = signer
            try change(&$0)
        }
    }

    // MARK: Requestors

    static let query = #"{"credentials": [{"id": "pid", "format": "dc+sd-jwt", "meta": {"vct_values": ["urn:pid"]}}]}"#

    /// A wish in JSON, for a response in the clear unless the members say something else.
    static func wish(_ members: String = "") -> String {
        let encryption = members.contains("encrypted") ? "" : ", \"encrypted\": false"
        return "{\"dcql_query\": \(query)\(encryption)\(members.isEmpty ? "" : ", " + members)}"
    }

    static let redirect = #""redirect_uri": "https://shop.example/done#code={response_code}""#

    func call(
        _ method: HTTPRequest.Method,
        _ path: String,
        token: String? = EngineWorld.token,
        _ body: String = "",
        type: String = "application/json"
    ) async throws -> InMemoryResponse {
        var fields: HTTPFields = [:]
        fields[.authorization] = token.map { "Bearer " + $0 }
        if !body.isEmpty { fields[.contentType] = type }
        return try await http.response(
            to: InMemoryRequest(method, path, headerFields: fields, body: Array(body.utf8))
        )
    }

    /// Starts a transaction over HTTP.
    func begin(_ members: String = "", token: String = EngineWorld.token) async throws -> TestTransaction {
        let response = try await call(.post, "/transactions", token: token, Self.wish(members))
        #expect(response.status == .created, "\(response.text)")
        return TestTransaction(world: self, json: try response.json(), token: token)
    }

    func wait(_ duration: Duration) { clock.advance(by: duration) }
}

/// A transaction, seen from its requestor and from its wallet.
struct TestTransaction {
    let world: EngineWorld
    let json: JSONValue
    let token: String

    var id: String { json["id"]?.stringValue ?? "" }
    var path: String { "/transactions/" + id }

    /// The same transaction on another server.
    func on(_ world: EngineWorld) -> TestTransaction { TestTransaction(world: world, json: json, token: token) }

    // MARK: Requestor

    func status() async throws -> String? {
        try await world.call(.get, path, token: token).json()["status"]?.stringValue
    }

    func result(_ code: String? = nil) async throws -> InMemoryResponse {
        let body = code.map { "{\"response_code\": \"\($0)\"}" } ?? ""
        return try await world.call(.post, path + "/result", token: token, body)
    }

    func events() async throws -> [String] {
        let json = try await world.call(.get, path + "/log", token: token).json()
        return (json["events"]?.arrayValue ?? []).map { event in
            [event["event"]?.stringValue, event["detail"]?.stringValue].compactMap { $0 }.joined(separator: ":")
        }
    }

    // MARK: Wallet

    /// The path of the request at the server.
    var requestPath: String {
        let link = json["link"]?.stringValue ?? ""
        return link.split(separator: "request_uri=").last.map {
            "/" + $0.split(separator: "/").dropFirst(2).joined(separator: "/")
        } ?? ""
    }

    var responsePath: String { requestPath.replacing("/request/", with: "/response/") }

    /// Begins to send a good response, on a connection that the test can drop.
    func openAnswer() async throws -> InMemoryExchange {
        let form = Self.form("good", state: try await state())
        return world.http.open(
            .post(
                responsePath,
                headerFields: [.contentType: "application/x-www-form-urlencoded"],
                body: Array(form.utf8)
            )
        )
    }

    func fetch() async throws -> InMemoryResponse {
        try await world.http.response(to: .get(requestPath))
    }

    func post(
        _ path: String,
        _ form: String,
        type: String = "application/x-www-form-urlencoded"
    ) async throws
        -> InMemoryResponse
    {
        try await world.http.response(
            to: .post(path, headerFields: [.contentType: type], body: Array(form.utf8))
        )
    }

    /// The state, as the request tells it.
    func state() async throws -> String { try await request().state }

    /// The state and the key for the response, as the request tells them.
    func request() async throws -> (state: String, key: JWK?) {
        let response = try await fetch()
        #expect(response.status == .ok, "\(response.text)")
        let parts = response.text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        let state = try String(#require(parts.first))
        let key = try #require(parts.last)
        return (state, key.isEmpty ? nil : try JWK(decoding: key))
    }

    /// The presentations of a response in JSON.
    static func token(_ presentation: String) -> String { "{\"pid\":[\"\(presentation)\"]}" }

    /// A response in the clear.
    static func form(_ presentation: String, state: String) -> String {
        "vp_token=%7B%22pid%22%3A%5B%22\(presentation)%22%5D%7D&state=\(state)"
    }

    /// A response that is encrypted to a key.
    ///
    /// - Parameter padding: The size of a parameter that means nothing.
    static func encrypted(_ presentation: String, state: String, to key: JWK, padding: Int = 0) throws -> String {
        let other = String(repeating: "a", count: padding)
        let content = "{\"vp_token\":\(token(presentation)),\"state\":\"\(state)\",\"other\":\"\(other)\"}"
        let jwe = try JWE.encrypt(Array(content.utf8), to: .jwk(key, .ecdhES, for: .a128GCM), with: .a128GCM)
        return "response=\(try jwe.compactSerialization())"
    }

    /// Fetches the request, and answers it as it asks.
    @discardableResult
    func answer(_ presentation: String = "good", to path: String? = nil) async throws -> InMemoryResponse {
        let (state, key) = try await request()
        let form =
            try key.map { try Self.encrypted(presentation, state: state, to: $0) }
            ?? Self.form(presentation, state: state)
        return try await post(path ?? responsePath, form)
    }
}

extension InMemoryResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    func json() throws -> JSONValue { try JSONValue(parsing: body) }

    /// The response code in the address for the browser.
    func responseCode() throws -> String {
        let address = try #require(try json()["redirect_uri"]?.stringValue)
        return try #require(address.split(separator: "#code=").last.map(String.init))
    }
}

/// Expects a refusal: its status and code.
func expectRefusal(
    _ code: TransactionError.Code,
    _ response: InMemoryResponse,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    #expect(response.status == code.status, "\(response.text)", sourceLocation: sourceLocation)
    let error = try response.json()["error"]?.stringValue
    #expect(error == code.description, "\(response.text)", sourceLocation: sourceLocation)
    #expect(response.headerFields[.cacheControl] == "no-store", sourceLocation: sourceLocation)
}
