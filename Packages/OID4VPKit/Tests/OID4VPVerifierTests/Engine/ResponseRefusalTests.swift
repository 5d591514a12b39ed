import CredentialServing
import Foundation
import HTTPTypes
import JSONKit
import Synchronization
import TestSupport
import Testing

@testable import OID4VPVerifier

/// Responses and demands of wallets that are refused, and what they leave behind.
struct ResponseRefusalTests {
    /// Expects that a transaction takes the right response after a refusal.
    private func expectOpen(_ transaction: TestTransaction, _ detail: String) async throws {
        #expect(try await transaction.events().last == "response_refused:\(detail)")
        #expect(try await transaction.answer().status == .ok)
        #expect(try await transaction.status() == "verified")
    }

    @Test func aSecondResponseIsRefused() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let state = try await transaction.state()
        let form = TestTransaction.form("good", state: state)
        #expect(try await transaction.post(transaction.responsePath, form).status == .ok)
        for path in [transaction.responsePath, "/oid4vp/response"] {
            try expectRefusal(.refusedResponse, try await transaction.post(path, form + "&n=2"))
        }
        #expect(world.party.verifications.withLock { $0 } == 1)
        #expect(try await transaction.result().json()["credentials"] != nil)
    }

    @Test func anotherTransactionsStateIsRefused() async throws {
        let world = try EngineWorld()
        let other = try await world.begin()
        let transaction = try await world.begin()
        let form = TestTransaction.form("good", state: try await other.state())
        try expectRefusal(.refusedResponse, try await transaction.post(transaction.responsePath, form))
        try await expectOpen(transaction, "stateMismatch")
        #expect(try await other.status() == "requested")
    }

    @Test func aResponseWithoutStateIsRefused() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        for form in ["vp_token=%7B%22pid%22%3A%5B%22good%22%5D%7D", "error=access_denied"] {
            try expectRefusal(.refusedResponse, try await transaction.post(transaction.responsePath, form))
        }
        try await expectOpen(transaction, "stateMismatch")
    }

    @Test func aResponseInTheClearIsRefusedWhereEncryptionWasAskedFor() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin(#""encrypted": true"#)
        let form = TestTransaction.form("good", state: try await transaction.state())
        try expectRefusal(.refusedResponse, try await transaction.post(transaction.responsePath, form))
        try await expectOpen(transaction, "notEncrypted")
    }

    @Test func anErrorInTheClearIsTakenWhereEncryptionWasAskedFor() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin(#""encrypted": true"#)
        let form = "error=invalid_request&state=\(try await transaction.state())"
        #expect(try await transaction.post(transaction.responsePath, form).status == .ok)
        #expect(try await transaction.status() == "declined")
    }

    @Test func aResponseForAnotherKeyIsRefused() async throws {
        let world = try EngineWorld()
        let other = try await world.begin(#""encrypted": true"#)
        let transaction = try await world.begin(#""encrypted": true"#)
        let key = try #require(try await other.request().key)
        let form = try TestTransaction.encrypted("good", state: await transaction.state(), to: key)
        try expectRefusal(.refusedResponse, try await transaction.post(transaction.responsePath, form))
        try await expectOpen(transaction, "decryptionFailed")
    }

    @Test func anEncryptedResponseWithAnotherStateIsRefused() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin(#""encrypted": true"#)
        let key = try #require(try await transaction.request().key)
        let form = try TestTransaction.encrypted("good", state: "AAAAAAAAAAAAAAAAAAAAAA", to: key)
        try expectRefusal(.refusedResponse, try await transaction.post(transaction.responsePath, form))
        try await expectOpen(transaction, "stateMismatch")
    }

    @Test(arguments: [
        "state=STATE", "vp_token=text&state=STATE", "vp_token=%7B%22x%22%3A%5B%22good%22%5D%7D&state=STATE",
    ])
    func aMalformedResponseLeavesTheTransactionOpen(form: String) async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let form = form.replacing("STATE", with: try await transaction.state())
        try expectRefusal(.refusedResponse, try await transaction.post(transaction.responsePath, form))
        try await expectOpen(transaction, "malformedResponse")
    }

    @Test(arguments: [
        ("vp_token=1&vp_token=2", "application/x-www-form-urlencoded"),
        ("vp_token=%ZZ", "application/x-www-form-urlencoded"),
        ("{}", "application/json"), ("vp_token=%FF", "application/x-www-form-urlencoded"),
    ])
    func whatIsNoFormIsRefused(body: String, type: String) async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        for path in [transaction.responsePath, "/oid4vp/response"] {
            try expectRefusal(.invalidRequest, try await transaction.post(path, body, type: type))
        }
    }

    @Test func anUnknownAddressIsRefused() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let form = TestTransaction.form("good", state: try await transaction.state())
        for path in ["/oid4vp/response/AAAAAAAAAAAAAAAAAAAAAA", "/oid4vp/response/x"] {
            try expectRefusal(.refusedResponse, try await transaction.post(path, form))
        }
        try expectRefusal(.refusedResponse, try await transaction.post("/oid4vp/response", "vp_token=good"))
        let stranger = TestTransaction.form("good", state: "AAAAAAAAAAAAAAAAAAAAAA")
        try expectRefusal(.refusedResponse, try await transaction.post("/oid4vp/response", stranger))
        #expect(try await transaction.status() == "requested")
    }

    @Test func namesOfOneKindOpenNothingOfAnother() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let request = try #require(transaction.requestPath.split(separator: "/").last)
        let page = try #require(transaction.json["status_uri"]?.stringValue?.split(separator: "/").last)
        for name in [transaction.id, String(page)] {
            try expectRefusal(.unknownRequest, try await world.http.response(to: .get("/oid4vp/request/\(name)")))
        }
        for name in [transaction.id, String(request)] {
            let response = try await world.http.response(to: .get("/oid4vp/frontend/\(name)"))
            try expectRefusal(.unknownTransaction, response)
        }
        for name in [request, page] {
            try expectRefusal(.unknownTransaction, try await world.call(.get, "/transactions/\(name)"))
        }
    }

    @Test func anExpiredTransactionIsRefused() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let form = TestTransaction.form("good", state: try await transaction.state())
        world.wait(.seconds(300))
        try expectRefusal(.unknownRequest, try await transaction.fetch())
        try expectRefusal(.refusedResponse, try await transaction.post(transaction.responsePath, form))
        #expect(try await transaction.status() == "expired")
        #expect(try await transaction.result().json()["failure"]?["code"] == "expired")
        // Afterwards nothing is left.
        world.wait(.seconds(300))
        try expectRefusal(.unknownTransaction, try await transaction.result())
        try expectRefusal(.refusedResponse, try await transaction.post(transaction.responsePath, form))
    }

    @Test func anAnsweredRequestIsNotServedAgain() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        try await transaction.answer()
        try expectRefusal(.unknownRequest, try await transaction.fetch())
        try expectRefusal(.unknownRequest, try await transaction.post(transaction.requestPath, "wallet_nonce=n"))
    }

    @Test func aRequestByValueIsNotServed() async throws {
        let world = try EngineWorld()
        let wish = try TransactionRequest(
            decoding: Array(EngineWorld.wish(#""form": "value", "relying_party": "shop""#).utf8),
            defaultRelyingParty: nil
        )
        let started = try await world.server.start(wish)
        let record = try await world.server.record(.requestor(started.id))
        let path = "/oid4vp/request/" + record.requestID
        try expectRefusal(.unknownRequest, try await world.http.response(to: .get(path)))
    }

    @Test(arguments: ["wallet_metadata=no", "wallet_nonce=1&wallet_nonce=2"])
    func aMalformedDemandForTheRequestIsRefused(form: String) async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        try expectRefusal(.invalidRequest, try await transaction.post(transaction.requestPath, form))
        #expect(try await transaction.events().last == "request_refused:invalidWalletMetadata")
        #expect(try await transaction.fetch().status == .ok)
    }

    @Test func aDemandWithoutContentIsServed() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let response = try await world.http.response(to: .post(transaction.requestPath))
        #expect(response.status == .ok, "\(response.text)")
    }

    @Test func aDemandThatIsNoFormIsRefused() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let response = try await transaction.post(transaction.requestPath, "{}", type: "application/json")
        try expectRefusal(.invalidRequest, response)
    }

    @Test func aKeyThatFailsIsTheServersFault() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let response = try await transaction.post(transaction.requestPath, "wallet_nonce=unsigned")
        try expectRefusal(.internalError, response)
        #expect(!response.text.contains("no key"))
    }

    @Test func anotherWayThanTheRequestsIsRefused() async throws {
        let world = try EngineWorld()
        let platform = try await world.begin(#""form": "digital_credentials""#)
        let record = try await world.server.record(.requestor(platform.id))
        let path = "/oid4vp/response/" + record.requestID
        try expectRefusal(.refusedResponse, try await platform.post(path, TestTransaction.form("good", state: "x")))
        #expect(try await platform.status() == "created")
        let link = try await world.begin()
        let body = #"{"origin": "https://shop.example", "data": {"vp_token": {"pid": ["good"]}}}"#
        try expectRefusal(.invalidRequest, try await world.call(.post, link.path + "/digital-credential", body))
        #expect(try await link.status() == "created")
    }

    @Test(arguments: [
        #"{"origin": "https://evil.example", "data": {"vp_token": {"pid": ["good"]}}}"#,
        #"{"origin": "https://shop.example", "data": {"vp_token": {"pid": "good"}}}"#,
        #"{"origin": "https://shop.example", "data": "x"}"#, #"{"data": {}}"#, "[]", "{",
    ])
    func aDigitalCredentialMustBeForTheTransaction(body: String) async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin(#""form": "digital_credentials""#)
        let response = try await world.call(.post, transaction.path + "/digital-credential", body)
        try expectRefusal(.invalidRequest, response)
        #expect(try await transaction.status() == "created")
    }
}
