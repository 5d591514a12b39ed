import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import JSONKit
import Synchronization
import TestSupport
import Testing

@testable import OID4VPVerifier

/// A transaction from its start to its result.
struct TransactionFlowTests {
    @Test func aVerifiedResponseGoesThroughAllStates() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        #expect(try await transaction.status() == "created")
        let request = try await transaction.fetch()
        #expect(request.status == .ok)
        #expect(request.headerFields[.contentType] == "application/oauth-authz-req+jwt")
        #expect(request.headerFields[.cacheControl] == "no-store")
        #expect(try await transaction.status() == "requested")
        let response = try await transaction.answer()
        #expect(response.status == .ok)
        #expect(response.headerFields[.contentType] == "application/json")
        #expect(response.text == "{}")
        #expect(try await transaction.status() == "verified")
        let result = try await transaction.result()
        #expect(result.status == .ok)
        #expect(try result.json()["credentials"]?["pid"]?[0]?["family_name"] == "MUSTERMANN-CLAIM")
        #expect(try result.json()["verification"]?["verdict"] == "verified")
        #expect(
            try await transaction.events() == [
                "created", "request_fetched:get", "request_fetched:get", "response_received", "verified",
                "result_fetched",
            ]
        )
    }

    @Test func aHeadOfTheRequestIsNoFetch() async throws {
        let transaction = try await EngineWorld().begin()
        let path = transaction.requestPath
        let head = HTTPRequest(method: .head, scheme: nil, authority: nil, path: path)
        let response = try await transaction.world.http.response(to: InMemoryRequest(head: head))
        #expect(response.status == .ok && response.body.isEmpty)
        #expect(response.headerFields[.contentType] == "application/oauth-authz-req+jwt")
        #expect(try await transaction.status() == "created")
        #expect(try await transaction.events() == ["created"])
    }

    @Test func theStartNamesEverythingThatShowsTheRequest() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin(#""wallet_link": "haip-vp://", "lifetime": 60"#)
        let json = transaction.json
        #expect(json["status"] == "created")
        #expect(json["expires_at"] == 1_800_000_060)
        let query = "?request_uri=https://verifier.example/oid4vp/request/"
        #expect(json["qr_text"]?.stringValue?.hasPrefix("openid4vp://" + query) == true)
        #expect(json["link"]?.stringValue?.hasPrefix("haip-vp://" + query) == true)
        #expect(json["digital_credential"] == nil)
        #expect(json["status_uri"]?.stringValue?.hasPrefix("https://verifier.example/oid4vp/frontend/") == true)
        #expect(json["id"]?.stringValue.map(TransactionTokens.isToken) == true)
    }

    @Test func aWalletsErrorEndsTheTransaction() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let state = try await transaction.state()
        let response = try await transaction.post(transaction.responsePath, "error=access_denied&state=\(state)")
        #expect(response.status == .ok)
        #expect(try await transaction.status() == "declined")
        let result = try await transaction.result().json()
        #expect(result["failure"]?["code"] == "access_denied")
        #expect(result["credentials"] == nil)
        #expect(try await transaction.events().last == "declined:access_denied")
    }

    @Test func aRefusedPresentationEndsTheTransactionWithItsChecks() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        try expectRefusal(.rejectedResponse, try await transaction.answer("bad"))
        #expect(try await transaction.status() == "failed")
        // A result without claims can be had again.
        for _ in 0..<2 {
            let result = try await transaction.result().json()
            #expect(result["failure"]?["code"] == "invalidHolderBinding")
            #expect(result["verification"]?["verdict"] == "refused")
            #expect(result["credentials"] == nil)
        }
        #expect(try await transaction.events().last == "failed:invalidHolderBinding")
    }

    @Test func aRefusedPresentationSendsTheBrowserOn() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin(EngineWorld.redirect)
        let response = try await transaction.answer("bad")
        #expect(response.status == .ok)
        let code = try response.responseCode()
        #expect(try await transaction.result(code).json()["status"] == "failed")
    }

    @Test func theRequestIsSignedAnewForEachPost() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let first = try await transaction.post(
            transaction.requestPath,
            "wallet_nonce=n1&wallet_metadata=%7B%22vp_formats_supported%22%3A%7B%22dc%2Bsd-jwt%22%3A%7B%7D%7D%7D"
        )
        let second = try await transaction.post(transaction.requestPath, "wallet_nonce=n2")
        #expect(first.text.contains(" n1 "))
        #expect(second.text.contains(" n2 "))
        #expect(world.party.fetches.withLock { $0.map { $0?.metadata != nil } } == [true, false])
        #expect(try await transaction.events().filter { $0 == "request_fetched:post" }.count == 2)
    }

    @Test func theResponseCodeReleasesTheResult() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin(EngineWorld.redirect)
        let code = try await transaction.answer().responseCode()
        #expect(TransactionTokens.isToken(code))
        try expectRefusal(.responseCodeRequired, try await transaction.result())
        try expectRefusal(.responseCodeRequired, try await transaction.result("AAAAAAAAAAAAAAAAAAAAAA"))
        #expect(try await transaction.result(code).json()["credentials"] != nil)
        // The code of a fetched result opens nothing more.
        try expectRefusal(.alreadyFetched, try await transaction.result(code))
        #expect(try await transaction.events().filter { $0 == "result_refused" }.count == 2)
    }

    @Test func pollingNeedsNoResponseCodeWhereItWasAskedFor() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin(EngineWorld.redirect + #", "polling": true"#)
        let response = try await transaction.answer()
        _ = try response.responseCode()
        #expect(try await transaction.result().json()["credentials"] != nil)
    }

    @Test func aCancelledTransactionTakesNothing() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let state = try await transaction.state()
        for _ in 0..<2 {
            #expect(try await world.call(.delete, transaction.path).status == .noContent)
        }
        #expect(try await transaction.status() == "cancelled")
        try expectRefusal(.unknownRequest, try await transaction.fetch())
        let response = try await transaction.post(transaction.responsePath, TestTransaction.form("good", state: state))
        try expectRefusal(.refusedResponse, response)
        #expect(try await transaction.result().json()["failure"]?["code"] == "cancelled")
    }

    @Test func digitalCredentialsComeFromTheBackend() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin(#""form": "digital_credentials""#)
        #expect(transaction.json["digital_credential"]?["protocol"] == "openid4vp-v1-unsigned")
        #expect(transaction.json["link"] == nil)
        #expect(transaction.json["qr_text"] == nil)
        let path = transaction.path + "/digital-credential"
        let body = #"{"origin": "https://shop.example", "data": {"vp_token": {"pid": ["good"]}}}"#
        let answer = try await world.call(.post, path, body)
        #expect(answer.status == .ok, "\(answer.text)")
        #expect(try answer.json()["status"] == "verified")
        try expectRefusal(.alreadyEnded, try await world.call(.post, path, body))
        #expect(try await transaction.result().json()["credentials"] != nil)
    }

    @Test func aLibraryUserNeedsNoHTTP() async throws {
        let world = try EngineWorld()
        let query = try DCQLQuery(json: JSONValue(parsing: EngineWorld.query))
        let transaction = try await world.server.start(TransactionRequest(of: "bank", for: query))
        #expect(try await world.server.status(of: transaction.id) == .created)
        try await world.server.cancel(transaction.id)
        #expect(try await world.server.result(of: transaction.id).status == .cancelled)
        #expect(try await world.server.events(of: transaction.id).map(\.name) == [.created, .cancelled])
        await #expect(throws: TransactionError.self) { try await world.server.status(of: "unknown") }
    }

    /// Queries may have members of extensions, which are ignored (section 6).
    ///
    /// Requestors over HTTP send none, so that a misspelt member is found.
    @Test func aQueryWithAnUnknownMemberIsServedToItsEnd() async throws {
        let scene = try await WalletScene()
        var members = try #require(JSONValue(parsing: WalletScene.query).objectValue)
        members["x"] = ["y": 1]
        let query = JSONValue.object(members)
        let transaction = try await scene.start { $0.query = .dcql(query) }
        #expect(try await scene.server.status(of: transaction.id) == .created)
        let wallet = try await SceneWallet(scene, link: #require(transaction.link))
        #expect(try await wallet.send(wallet.presentation()).status == .ok)
        #expect(try await scene.server.result(of: transaction.id).status == .verified)
        let wish = "{\"relying_party\": \"shop\", \"dcql_query\": \(query.text())}"
        let error = #expect(throws: TransactionError.self) {
            try TransactionRequest(decoding: Array(wish.utf8), defaultRelyingParty: nil)
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test func theStateIsToldAsItChanges() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let statuses = try await world.server.statuses(of: transaction.id)
        var iterator = statuses.makeAsyncIterator()
        #expect(await iterator.next() == .created)
        _ = try await transaction.fetch()
        #expect(await iterator.next() == .requested)
        try await transaction.answer()
        var last: TransactionStatus?
        while let status = await iterator.next() { last = status }
        #expect(last == .verified)
    }

    @Test func expiryIsToldWhenItsTimeHasCome() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        var iterator = try await world.server.statuses(of: transaction.id).makeAsyncIterator()
        #expect(await iterator.next() == .created)
        await world.clock.waitForSleeper(.seconds(300))
        world.wait(.seconds(300))
        #expect(await iterator.next() == .expired)
        #expect(await iterator.next() == nil)
    }

    @Test func requestorsAndPagesGetTheStatesAsEvents() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let page = try #require(transaction.json["status_uri"]?.stringValue?.split(separator: "/").last)
        let streams = [
            world.http.open(
                .get(transaction.path + "/events", headerFields: [.authorization: "Bearer " + EngineWorld.token])
            ),
            world.http.open(.get("/oid4vp/frontend/\(page)/events")),
        ]
        for stream in streams {
            #expect(try await stream.head().headerFields[.contentType] == "text/event-stream")
            #expect(try await Self.piece(stream) == "event: status\ndata: {\"status\":\"created\"}\n\n")
        }
        try await world.server.cancel(transaction.id)
        for stream in streams {
            #expect(try await Self.piece(stream) == "event: status\ndata: {\"status\":\"cancelled\"}\n\n")
            #expect(try await stream.next() == nil)
        }
        let status = try await world.http.response(to: .get("/oid4vp/frontend/\(page)"))
        #expect(try status.json()["status"] == "cancelled")
        #expect(try status.json()["id"] == nil)
    }

    private static func piece(_ stream: InMemoryExchange) async throws -> String? {
        try await stream.next().map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [true, false])
    func aResponseComesToTheCommonAddressToo(isEncrypted: Bool) async throws {
        let world = try EngineWorld()
        _ = try await world.begin("\"encrypted\": \(isEncrypted)")
        let transaction = try await world.begin("\"encrypted\": \(isEncrypted)")
        let response = try await transaction.answer(to: "/oid4vp/response")
        #expect(response.status == .ok, "\(response.text)")
        #expect(try await transaction.status() == "verified")
    }

    /// The limit of the server holds for encrypted responses, too, wherever they come to.
    @Test(arguments: [true, false])
    func largeResponsesAreTaken(atTheCommonAddress isCommon: Bool) async throws {
        let world = try EngineWorld { $0.options.maximumResponseSize = 3 << 20 }
        let transaction = try await world.begin("\"encrypted\": true")
        let request = try await transaction.request()
        let key = try #require(request.key)
        let path = isCommon ? "/oid4vp/response" : transaction.responsePath
        let form = try TestTransaction.encrypted("good", state: request.state, to: key, padding: 1 << 20)
        #expect(form.utf8.count > 1_048_576)
        #expect(try await transaction.post(path, form).status == .ok)
        #expect(try await transaction.status() == "verified")
    }

    @Test func anEncryptedResponseIsDecrypted() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin("\"encrypted\": true")
        #expect(try await transaction.answer().status == .ok)
        #expect(try await transaction.result().json()["credentials"] != nil)
    }
}
