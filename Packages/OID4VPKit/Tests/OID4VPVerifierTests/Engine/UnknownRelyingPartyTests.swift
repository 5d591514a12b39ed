import CredentialServing
import CredentialTransport
import Foundation
import HTTPTypes
import JSONKit
import TestSupport
import Testing

@testable import OID4VPVerifier

/// Open transactions of a relying party that a server does not have.
struct UnknownRelyingPartyTests {
    private let world: EngineWorld
    private let transaction: TestTransaction
    /// A server over the same store without the relying party of the transaction.
    private let other: EngineWorld

    init() async throws {
        world = try EngineWorld()
        transaction = try await world.begin(#""relying_party": "shop""#, token: EngineWorld.otherToken)
        other = try world.restarted { $0.names = ["bank"] }
    }

    @Test func aWalletIsAnsweredAsForAUsedLink() async throws {
        let (state, _) = try await transaction.request()
        let stranded = transaction.on(other)
        try expectRefusal(.unknownRequest, try await stranded.fetch())
        let post = try await stranded.post(stranded.requestPath, "wallet_nonce=1")
        try expectRefusal(.unknownRequest, post)
        let form = TestTransaction.form("good", state: state)
        let response = try await stranded.post(stranded.responsePath, form)
        try expectRefusal(.refusedResponse, response)
        try expectRefusal(.refusedResponse, try await stranded.post("/oid4vp/response", form))
        let events = try await stranded.events()
        #expect(
            events == [
                "created", "request_fetched:get", "request_refused:unknown_relying_party",
                "request_refused:unknown_relying_party", "response_refused:unknown_relying_party",
                "response_refused:unknown_relying_party",
            ]
        )
        // The answers are those for a link that was used.
        _ = try await transaction.post(transaction.responsePath, form)
        let used = try await stranded.post(stranded.responsePath, TestTransaction.form("other", state: state))
        #expect(used.status == response.status && used.text == response.text)
        #expect(try await stranded.fetch().text == post.text)
    }

    @Test func requestorAndPageFollowTheTransactionToItsEnd() async throws {
        let stranded = transaction.on(other)
        let page = try #require(
            transaction.json["status_uri"]?.stringValue?.split(separator: "/").dropFirst(2).joined(separator: "/")
        )
        #expect(try await stranded.status() == "created")
        #expect(try await other.http.response(to: .get("/" + page)).json()["status"] == "created")
        other.wait(.seconds(301))
        #expect(try await other.http.response(to: .get("/" + page)).json()["status"] == "expired")
        #expect(try await stranded.result().json()["status"] == "expired")
    }

    /// A server that has the relying party takes the response later.
    @Test func anotherServerTakesTheResponse() async throws {
        try expectRefusal(.unknownRequest, try await transaction.on(other).fetch())
        #expect(try await transaction.answer().status == .ok)
        #expect(try await transaction.on(other).result().json()["status"] == "verified")
    }

    @Test func theBackendLearnsWhichRelyingPartyIsUnknown() async throws {
        let platform = try await world.begin(
            #""relying_party": "shop", "form": "digital_credentials""#,
            token: EngineWorld.otherToken
        )
        let body = #"{"origin": "https://shop.example", "data": {"vp_token": {"pid": ["good"]}}}"#
        let path = platform.path + "/digital-credential"
        let response = try await other.call(.post, path, token: platform.token, body)
        try expectRefusal(.unknownRelyingParty, response)
        #expect(try response.json()["error_description"] == #"no relying party has the name "shop""#)
        let data: JSONObject = ["vp_token": ["pid": ["good"]]]
        let error = await #expect(throws: TransactionError.self) {
            try await other.server.answer(platform.id, digitalCredential: data, from: "https://shop.example")
        }
        #expect(error?.code == .unknownRelyingParty && error?.message.contains("\"shop\"") == true)
        #expect(try await platform.on(other).events().last == "response_refused:unknown_relying_party")
        let query = try DCQLQuery(json: JSONValue(parsing: EngineWorld.query))
        let unknown = await #expect(throws: TransactionError.self) {
            try await other.server.start(TransactionRequest(of: "shop", for: query))
        }
        #expect(unknown?.code == .unknownRelyingParty)
    }
}
