import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import JSONKit
import TestSupport
import Testing

@testable import OID4VPVerifier

/// The calls of requestors: their tokens, their wishes, and the settings of the server.
struct TransactionRequestorTests {
    @Test(arguments: [nil, "", "wrong", EngineWorld.token + "x", String(EngineWorld.token.dropLast())])
    func everyCallNeedsAToken(token: String?) async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let calls: [(HTTPRequest.Method, String)] = [
            (.post, "/transactions"), (.get, transaction.path), (.delete, transaction.path),
            (.get, transaction.path + "/events"), (.get, transaction.path + "/log"),
            (.post, transaction.path + "/result"), (.post, transaction.path + "/digital-credential"), (.get, "/keys"),
        ]
        for (method, path) in calls {
            let response = try await world.call(method, path, token: token, EngineWorld.wish())
            try expectRefusal(.unauthorized, response)
            #expect(response.headerFields[.wwwAuthenticate] == "Bearer")
        }
        #expect(try await transaction.status() == "created")
    }

    @Test func aTokenNeedsItsScheme() async throws {
        let world = try EngineWorld()
        for value in [EngineWorld.token, "Basic \(EngineWorld.token)", "Bearer", "Bearer  \(EngineWorld.token)"] {
            let response = try await world.http.response(to: .get("/keys", headerFields: [.authorization: value]))
            try expectRefusal(.unauthorized, response)
        }
    }

    @Test func transactionsOfAnotherRequestorAreUnknown() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        try await transaction.answer()
        let stranger = TestTransaction(world: world, json: transaction.json, token: EngineWorld.otherToken)
        try expectRefusal(.unknownTransaction, try await stranger.result())
        try expectRefusal(.unknownTransaction, try await world.call(.get, stranger.path, token: stranger.token))
        try expectRefusal(.unknownTransaction, try await world.call(.delete, stranger.path, token: stranger.token))
        #expect(try await transaction.result().json()["credentials"] != nil)
    }

    @Test func aRequestorActsForItsRelyingPartiesAlone() async throws {
        let world = try EngineWorld()
        let bank = EngineWorld.wish(#""relying_party": "bank""#)
        try expectRefusal(.forbidden, try await world.call(.post, "/transactions", bank))
        let other = EngineWorld.otherToken
        #expect(try await world.call(.post, "/transactions", token: other, bank).status == .created)
        // One that acts for several has to say for which.
        try expectRefusal(
            .invalidRequest,
            try await world.call(.post, "/transactions", token: other, EngineWorld.wish())
        )
    }

    @Test(arguments: [
        #""redirect_url": "https://shop.example""#, #""lifetime": 0"#, #""lifetime": 301"#, #""lifetime": 1.5"#,
        #""lifetime": 92233720368547758070"#, #""polling": 1"#, #""form": "pigeon""#, #""request_uri_method": "put""#,
        #""version": "draft1""#, #""transaction_data": []"#, #""transaction_data": ["x"]"#, #""intended_use": """#,
        #""presentation_definition": {}"#, #""callback_uri": "ftp://shop.example""#, #""wallet_link": "javascript:x""#,
        #""wallet_link": "a b://""#, #""wallet_link": "https://wallet.example/?x=1""#, #""encrypted": "no""#,
        #""redirect_uri": "https://shop.example/done""#, #""redirect_uri": "http://shop.example/{response_code}""#,
        #""redirect_uri": "https://{response_code}.example/""#, #""redirect_uri": "app:/{response_code}""#,
        #""redirect_uri": "https://shop.example/{response_code}{response_code}""#,
        #""redirect_uri": "https://shop.example/ä{response_code}""#,
        #""form": "digital_credentials", "redirect_uri": "https://shop.example/{response_code}""#,
        #""intended_use": "unknown""#, #""relying_party": "unknown""#,
    ])
    func aWishThatCannotBeFulfilledIsRefused(members: String) async throws {
        let world = try EngineWorld()
        let response = try await world.call(.post, "/transactions", EngineWorld.wish(members))
        try expectRefusal(members.contains("relying_party") ? .forbidden : .invalidRequest, response)
        #expect(world.server.openTransactions.count(of: "shop") == 0)
    }

    /// The place once in the error and once in the answer, which has no place of its own.
    @Test func aRefusalNamesItsPlaceOnce() async throws {
        let world = try EngineWorld()
        var wish = TransactionRequest(of: "shop", for: try DCQLQuery(json: JSONValue(parsing: EngineWorld.query)))
        wish.lifetime = -1
        let error = await #expect(throws: TransactionError.self) { try await world.server.start(wish) }
        #expect(error?.message == "it must be from 1 to 300 seconds" && error?.path == ["lifetime"])
        let response = try await world.call(.post, "/transactions", EngineWorld.wish(#""lifetime": -1"#))
        #expect(
            try response.json()["error_description"] == "lifetime: it must be from 1 to 300 seconds",
            "\(response.text)"
        )
        wish.lifetime = nil
        wish.relyingParty = "nobody"
        let unknown = await #expect(throws: TransactionError.self) { try await world.server.start(wish) }
        #expect(
            unknown?.description == #"unknown_relying_party in relying_party: no relying party has the name "nobody""#
        )
        let scene = try await WalletScene()
        let query = #"{"credentials": [{"id": "a", "format": "mso_mdoc", "meta": {"doctype_value": "a"}}]}"#
        wish = TransactionRequest(of: "shop", for: try DCQLQuery(json: JSONValue(parsing: query)))
        let unverified = await #expect(throws: TransactionError.self) { try await scene.server.start(wish) }
        let cause = try #require(unverified?.cause as? OID4VPVerifierError)
        #expect(cause.code == .invalidRequest && cause.path.isEmpty)
        #expect(unverified?.description == "invalid_request in dcql_query: the request cannot be made (\(cause))")
    }

    /// The cause of what a requestor can mend is in the answer, once.
    @Test func aRefusalSaysItsCause() async throws {
        let world = try EngineWorld()
        let query = #"{"credentials": [{"id": "", "format": "dc+sd-jwt", "meta": {}}]}"#
        let wish = #"{"relying_party": "shop", "dcql_query": \#(query)}"#
        let response = try await world.call(.post, "/transactions", wish)
        try expectRefusal(.invalidRequest, response)
        let text = try #require(try response.json()["error_description"]?.stringValue)
        #expect(
            text == "dcql_query.credentials[0].id: the query cannot be read (invalidQuery: it must be a non-empty text)"
        )
    }

    @Test func aMisspeltQueryIsRefused() async throws {
        let world = try EngineWorld()
        let query = #"{"credentials": [{"id": "a", "format": "dc+sd-jwt", "meta": {}}], "credential_set": []}"#
        let response = try await world.call(.post, "/transactions", "{\"dcql_query\": \(query)}")
        try expectRefusal(.invalidRequest, response)
        let text = "dcql_query.credential_set: the query cannot be read (invalidQuery: the member is unknown)"
        #expect(try response.json()["error_description"] == .string(text), "\(response.text)")
    }

    @Test(arguments: ["", "[]", "{", "{}", #"{"dcql_query": {}}"#, #"{"presentation_definition": {}}"#])
    func whatIsNoWishIsRefused(body: String) async throws {
        let world = try EngineWorld()
        try expectRefusal(.invalidRequest, try await world.call(.post, "/transactions", body))
    }

    @Test func aWishMustBeJSON() async throws {
        let world = try EngineWorld()
        let response = try await world.call(.post, "/transactions", EngineWorld.wish(), type: "text/plain")
        try expectRefusal(.invalidRequest, response)
    }

    @Test func anUnknownRelyingPartyIsRefusedInTheProcess() async throws {
        let world = try EngineWorld()
        let query = try DCQLQuery(json: JSONValue(parsing: EngineWorld.query))
        let error = await #expect(throws: TransactionError.self) {
            try await world.server.start(TransactionRequest(of: "nobody", for: query))
        }
        #expect(error?.code == .unknownRelyingParty)
    }

    @Test(arguments: ["com.example.app:/done?code={response_code}", "https://shop.example/?code={response_code}"])
    func anAppsOwnSchemeIsAnAddress(template: String) throws {
        let code = "AAAAAAAAAAAAAAAAAAAAAA"
        #expect(try RedirectTemplate(template).address(responseCode: code).hasSuffix("code=" + code))
    }

    @Test(arguments: ["[]", "{", #"{"response_code": 1}"#])
    func aDemandForTheResultMustBeWellFormed(body: String) async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin(EngineWorld.redirect)
        try await transaction.answer()
        try expectRefusal(.invalidRequest, try await world.call(.post, transaction.path + "/result", body))
    }

    @Test func aResultBeforeTheEndIsRefused() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        try expectRefusal(.notEnded, try await transaction.result())
        try expectRefusal(.unknownTransaction, try await world.call(.get, "/transactions/x"))
    }

    @Test func theWishSurvivesTheStore() throws {
        let text = EngineWorld.wish(
            """
            "relying_party": "shop", "form": "value", "request_uri_method": "get", "version": "1.0", "polling": true,
            "transaction_data": [{"type": "pay", "credential_ids": ["pid"]}], "intended_use": "age",
            "redirect_uri": "https://shop.example/{response_code}", "callback_uri": "https://shop.example/cb",
            "lifetime": 60, "wallet_link": "haip-vp://"
            """
        )
        let wish = try TransactionRequest(decoding: Array(text.utf8), defaultRelyingParty: nil)
        #expect(try TransactionRequest(json: wish.json) == wish)
        #expect(wish.isEncrypted == false)
        #expect(wish.version == .v1)
        #expect(!wish.requiresResponseCode)
        let definition = """
            {"relying_party": "shop",
             "presentation_definition": {"id": "d", "input_descriptors": [{"id": "a", "constraints": {}}]}}
            """
        let older = try TransactionRequest(decoding: Array(definition.utf8), defaultRelyingParty: nil)
        #expect(older.version == .draft23)
        #expect(try TransactionRequest(json: older.json) == older)
    }

    @Test func scriptsOfOtherOriginsReadTheStateAlone() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let page = try #require(transaction.json["status_uri"]?.stringValue?.split(separator: "/").last)
        let origin: HTTPFields = [.origin: "https://shop.example", .authorization: "Bearer \(EngineWorld.token)"]
        let state = try await world.http.response(to: .get("/oid4vp/frontend/\(page)", headerFields: origin))
        #expect(state.headerFields[.accessControlAllowOrigin] == "*")
        let own = try await world.http.response(to: .get(transaction.path, headerFields: origin))
        #expect(own.status == .ok)
        #expect(own.headerFields[.accessControlAllowOrigin] == nil)
    }

    @Test func theEndpointsOfWalletsStandWhereTheURLPoints() async throws {
        let elsewhere = try server(url: "https://v.example/deep/down")
        let query = try DCQLQuery(json: JSONValue(parsing: EngineWorld.query))
        let transaction = try await elsewhere.start(TransactionRequest(of: "shop", for: query))
        let path = try #require(transaction.statusURL.firstRange(of: "/deep/")).lowerBound
        let http = InMemoryServer(try elsewhere.engine())
        #expect(try await http.response(to: .get(String(transaction.statusURL[path...]))).status == .ok)
        // Without a path both would stand at one place; they are mounted one by one.
        let bare = try server(url: "https://v.example")
        #expect(throws: ServingError.self) { try bare.engine() }
    }

    // MARK: Settings

    private func server(
        url: String = "https://verifier.example/oid4vp",
        requestors: [TransactionRequestor] = [],
        _ change: (inout TransactionServerOptions) -> Void = { _ in }
    ) throws -> TransactionServer {
        var options = TransactionServerOptions()
        change(&options)
        return try TransactionServer(
            url: url,
            parties: ["shop": ScriptedParty()],
            requestors: requestors,
            options: options,
            services: TransactionServices(clock: EngineWorld.sessionClock(ManualClock()))
        )
    }

    private func requestor(_ name: String, _ token: String, _ parties: [String] = ["shop"]) -> TransactionRequestor {
        TransactionRequestor(name, token: SecretBytes(Array(token.utf8)), relyingParties: parties)
    }

    @Test func settingsThatCannotWorkAreRefused() throws {
        func expectRefused(_ body: () throws -> TransactionServer, sourceLocation: SourceLocation = #_sourceLocation) {
            let error = #expect(throws: TransactionError.self, sourceLocation: sourceLocation) { _ = try body() }
            #expect(error?.code == .invalidConfiguration, sourceLocation: sourceLocation)
        }
        for url in ["http://v.example", "v.example", "https://v.example/?x", "https://v.example/#x"] {
            expectRefused { try server(url: url) }
        }
        expectRefused { try server { $0.lifetime = .zero } }
        expectRefused { try server { $0.resultLifetime = .zero } }
        expectRefused { try server { $0.callDeadline = .zero } }
        expectRefused { try server { $0.verificationDeadline = .zero } }
        expectRefused { try server { $0.maximumOpenTransactions = 0 } }
        expectRefused { try server { $0.maximumResponseSize = 0 } }
        expectRefused { try server { $0.maximumCallSize = 0 } }
        expectRefused { try server { $0.maximumWalletMetadataSize = 0 } }
        let token = EngineWorld.token
        expectRefused { try server(requestors: [requestor("", token)]) }
        expectRefused { try server(requestors: [requestor("a", "short")]) }
        expectRefused { try server(requestors: [requestor("a", token, [])]) }
        expectRefused { try server(requestors: [requestor("a", token, ["nobody"])]) }
        expectRefused { try server(requestors: [requestor("a", token), requestor("b", token)]) }
        expectRefused { try server(requestors: [requestor("a", token), requestor("a", EngineWorld.otherToken)]) }
        #expect(try server(url: "https://v.example").url == "https://v.example/")
    }

    /// Errors of the layer below have the form of all others.
    @Test func unknownPathsMethodsAndLimitsHaveOneForm() async throws {
        let world = try EngineWorld()
        let unknown = try await world.call(.get, "/nothing")
        #expect(unknown.status == .notFound)
        #expect(try unknown.json()["error"] == "not_found")
        let other = try await world.call(.put, "/transactions")
        #expect(other.status == .methodNotAllowed)
        #expect(try other.json()["error"] == "method_not_allowed")
        #expect(other.headerFields[.allow] != nil)
        let limited = TransactionServer.response(limitedBy: RateLimitRefusal(retryAfter: .seconds(3)))
        #expect(limited.status == .tooManyRequests && limited.headerFields[.retryAfter] == "3")
        let body = try JSONValue(parsing: try #require(limited.body.bytesIfReady))
        #expect(body["error"] == "too_many_requests" && body["error_description"] != nil)
    }
}
