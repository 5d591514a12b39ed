import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import Synchronization
import TestSupport
import Testing

@testable import OID4VPVerifier

/// Results on their way to requestors.
struct CallbackTests {
    private static let signer = Result { try SoftwareSigner(PrivateKey.generate(.p256)) }
    private static let callback = #""callback_uri": "https://shop.example/result""#

    private func world(
        _ handler: InMemoryHTTPTransport.Handler? = nil,
        after earlier: EngineWorld? = nil
    ) throws -> EngineWorld {
        let signer = try Self.signer.get()
        return try EngineWorld {
            $0.signer = signer
            if let handler { $0.callbackHandler = handler }
            guard let earlier else { return }
            $0.party = earlier.party
            $0.clock = earlier.clock
            $0.store = earlier.store
        }
    }

    /// The results in the messages that were sent, their signatures verified.
    private func results(_ world: EngineWorld) throws -> [JSONValue] {
        let key = try Self.signer.get().publicKey
        return try world.callbacks.requests.map { request in
            #expect(request.url.description == "https://shop.example/result")
            #expect(request.headerFields[.contentType] == "application/jwt")
            let token = try JWT(compact: request.body)
            #expect(try token.unverifiedHeader().type() == "oid4vp-result+jwt")
            let claims = try JSONValue(parsing: token.jws.verify(with: key, policy: [.es256]).payload)
            #expect(claims["iss"] == "oid4vp-verifier")
            #expect(claims["iat"] != nil && claims["exp"] != nil)
            #expect(claims["jti"] == claims["result"]?["id"])
            return try #require(claims["result"])
        }
    }

    @Test func aVerifiedResultGoesToTheCallbackWithItsClaims() async throws {
        let world = try world()
        let transaction = try await world.begin(Self.callback)
        try await transaction.answer()
        await world.server.finishDeliveries()
        let result = try #require(try results(world).first)
        #expect(result["status"] == "verified")
        #expect(result["credentials"]?["pid"]?[0]?["family_name"] == .string(ScriptedParty.claim))
        // What was delivered has left the store.
        try expectRefusal(.alreadyFetched, try await transaction.result())
        #expect(try await transaction.events().last == "callback_accepted")
    }

    /// A server that stops waits for a verification whose request has ended, and tells its result.
    @Test func aResponseWhoseWalletIsGoneIsVerifiedBeforeTheEnd() async throws {
        let gate = Gate()
        let signer = try Self.signer.get()
        let world = try EngineWorld {
            $0.party = ScriptedParty(gate: gate)
            $0.signer = signer
        }
        let transaction = try await world.begin(Self.callback)
        let exchange = try await transaction.openAnswer()
        await gate.waitForTasks(1)
        exchange.disconnect()
        await exchange.end()
        let hasFinished = Mutex(false)
        let end = Task {
            await world.server.finishDeliveries()
            hasFinished.withLock { $0 = true }
        }
        for _ in 1...100 { await Task.yield() }
        #expect(hasFinished.withLock { $0 } == false)
        gate.open()
        await end.value
        #expect(try results(world).map { $0["status"] } == ["verified"])
    }

    /// A key in a device that does not answer for a moment does not cost the callback.
    @Test func aResultIsSentWhenItsSignerIsBack() async throws {
        let signer = FailingSigner(try Self.signer.get(), failures: 2)
        let world = try EngineWorld { $0.signer = signer }
        let transaction = try await world.begin(Self.callback)
        try await transaction.answer()
        for pause in [100, 200] {
            await world.clock.waitForSleeper(.milliseconds(pause))
            world.clock.advance(by: .milliseconds(pause))
        }
        await world.server.finishDeliveries()
        #expect(try results(world).map { $0["status"] } == ["verified"])
    }

    @Test func failuresGoToTheCallbackToo() async throws {
        let world = try world()
        let failed = try await world.begin(Self.callback)
        try await failed.answer("bad")
        let declined = try await world.begin(Self.callback)
        let state = try await declined.state()
        _ = try await declined.post(declined.responsePath, "error=access_denied&state=\(state)")
        let cancelled = try await world.begin(Self.callback)
        try await world.server.cancel(cancelled.id)
        try await world.server.cancel(cancelled.id)
        let expired = try await world.begin(Self.callback)
        world.wait(.seconds(300))
        #expect(try await expired.status() == "expired")
        #expect(try await expired.status() == "expired")
        await world.server.finishDeliveries()
        let results = try results(world)
        #expect(results.count == 4)
        let states = Dictionary(
            uniqueKeysWithValues: results.map { ($0["id"]?.stringValue, $0["status"]?.stringValue) }
        )
        #expect(
            states == [
                failed.id: "failed", declined.id: "declined", cancelled.id: "cancelled", expired.id: "expired",
            ]
        )
    }

    @Test func expiryIsToldWithoutAnybodyAsking() async throws {
        let world = try world()
        let transaction = try await world.begin(Self.callback + #", "lifetime": 2"#)
        let run = Task { await world.server.run() }
        for second in 1...3 {
            await world.clock.waitForSleeper(.seconds(1))
            #expect(world.callbacks.requests.isEmpty, "after \(second) seconds")
            world.clock.advance(by: .seconds(1))
            if second == 2 { break }
        }
        await world.clock.waitForSleeper(.seconds(1))
        await world.server.finishDeliveries()
        #expect(try results(world).map { $0["id"]?.stringValue } == [transaction.id])
        #expect(try results(world).first?["status"] == "expired")
        run.cancel()
        await run.value
    }

    /// The process that started the transactions is gone; the wallet fetched one request from the next one.
    @Test func expiryOfAnEarlierProcessIsToldToo() async throws {
        let earlier = try world()
        let fetched = try await earlier.begin(Self.callback)
        let later = try world(after: earlier)
        #expect(try await fetched.on(later).fetch().status == .ok)
        later.wait(.seconds(299))
        await later.server.endExpiredTransactions()
        #expect(later.server.awaited.count == 1)
        later.wait(.seconds(1))
        await later.server.endExpiredTransactions()
        await later.server.finishDeliveries()
        #expect(try results(later).map { $0["id"]?.stringValue } == [fetched.id])
        #expect(try results(later).first?["status"] == "expired")
        #expect(later.server.awaited.count == 0)
    }

    /// A transaction whose time is up makes room for another, and its end is told all the same.
    @Test func expiryIsToldAtTheLimitOfOpenTransactions() async throws {
        let signer = try Self.signer.get()
        let world = try EngineWorld {
            $0.signer = signer
            $0.options.maximumOpenTransactions = 1
        }
        let expired = try await world.begin(Self.callback)
        world.wait(.seconds(300))
        _ = try await world.begin(Self.callback)
        await world.server.endExpiredTransactions()
        await world.server.finishDeliveries()
        #expect(try results(world).map { $0["id"]?.stringValue } == [expired.id])
        #expect(world.server.openTransactions.count(of: "shop") == 1)
    }

    /// A verification ends after the time that the wallet had: the transaction is not lost sight of meanwhile.
    @Test func aTransactionWithMoreTimeIsAwaitedOn() async throws {
        let gate = Gate()
        let signer = try Self.signer.get()
        let world = try EngineWorld {
            $0.signer = signer
            $0.party = ScriptedParty(gate: gate)
            // The verification does not end by itself.
            $0.timer = ManualClock()
        }
        let transaction = try await world.begin(Self.callback)
        let (state, _) = try await transaction.request()
        world.wait(.seconds(299))
        let answer = Task {
            try await transaction.post(transaction.responsePath, TestTransaction.form("good", state: state))
        }
        await gate.waitForTasks(1)
        world.wait(.seconds(1))
        await world.server.endExpiredTransactions()
        #expect(try await transaction.status() == "answered")
        #expect(world.server.awaited.count == 1)
        world.wait(.seconds(29))
        await world.server.endExpiredTransactions()
        await world.server.finishDeliveries()
        #expect(try results(world).map { $0["status"] } == ["failed"])
        #expect(world.server.awaited.count == 0)
        gate.open()
        try expectRefusal(.refusedResponse, try await answer.value)
    }

    @Test func claimsThatNeedAResponseCodeStayHere() async throws {
        let world = try world()
        let transaction = try await world.begin(Self.callback + ", " + EngineWorld.redirect)
        let code = try await transaction.answer().responseCode()
        await world.server.finishDeliveries()
        let result = try #require(try results(world).first)
        #expect(result["status"] == "verified")
        #expect(result["credentials"] == nil)
        #expect(try await transaction.result(code).json()["credentials"] != nil)
    }

    @Test func aCallbackThatDoesNotAnswerIsTriedThreeTimes() async throws {
        let world = try world { _ throws(TransportError) in
            throw TransportError(.connectionFailed, "nobody there")
        }
        let transaction = try await world.begin(Self.callback)
        try await transaction.answer()
        for pause in [100, 200] {
            await world.clock.waitForSleeper(.milliseconds(pause))
            world.clock.advance(by: .milliseconds(pause))
        }
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 3)
        // The claims can still be fetched.
        #expect(try await transaction.result().json()["credentials"] != nil)
    }

    /// Claims are given out once: what the requestor has fetched is not sent besides.
    @Test func aResultThatWasFetchedIsNotSent() async throws {
        let world = try world { _ throws(TransportError) in
            throw TransportError(.connectionFailed, "nobody there")
        }
        let transaction = try await world.begin(Self.callback)
        try await transaction.answer()
        await world.clock.waitForSleeper(.milliseconds(100))
        #expect(try await transaction.result().json()["credentials"] != nil)
        world.clock.advance(by: .milliseconds(100))
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 1)
    }

    @Test func aForbiddenTargetIsTriedOnce() async throws {
        let world = try world { _ throws(TransportError) in
            throw TransportError(.addressNotAllowed, "private")
        }
        let transaction = try await world.begin(Self.callback)
        try await world.server.cancel(transaction.id)
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 1)
        #expect(try await transaction.events().last == "callback_refused:addressNotAllowed")
    }

    /// A URL that the transport refuses by itself is refused while there is still a requestor to tell.
    @Test(arguments: [
        ("http://shop.example/result", "plain http is not allowed"),
        ("https://shop.example:22/result", "port 22 is not allowed"),
        ("https://192.0.2.1/result", "a host must be named"),
    ]) func aForbiddenTargetStartsNoTransaction(url: String, reason: String) async throws {
        let world = try world()
        let wish = EngineWorld.wish("\"callback_uri\": \"\(url)\"")
        let response = try await world.call(.post, "/transactions", wish)
        try expectRefusal(.invalidRequest, response)
        let text = try response.json()["error_description"]?.stringValue ?? ""
        #expect(text.hasPrefix("callback_uri: ") && text.contains(reason), "\(text)")
        #expect(world.server.openTransactions.count(of: "shop") == 0)
    }

    /// A transport in development permits http.
    @Test func thePermittedTargetsAreThoseOfTheTransport() async throws {
        let signer = try Self.signer.get()
        let world = try EngineWorld {
            $0.signer = signer
            $0.callbackGuard = AddressGuard(allowing: [.loopback], literalAddresses: true, plainHTTP: true, ports: .any)
        }
        let transaction = try await world.begin(#""callback_uri": "http://127.0.0.1:8080/result""#)
        try await world.server.cancel(transaction.id)
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.map(\.url.description) == ["http://127.0.0.1:8080/result"])
    }

    @Test func aServerWithoutKeyOrTransportTakesNoCallbacks() async throws {
        let signer = try Self.signer.get()
        let worlds = [
            try EngineWorld(),
            try EngineWorld {
                $0.signer = signer
                $0.hasTransport = false
            },
        ]
        for world in worlds {
            let response = try await world.call(.post, "/transactions", EngineWorld.wish(Self.callback))
            try expectRefusal(.invalidRequest, response)
        }
    }

    @Test func theKeyOfResultsIsPublished() async throws {
        let world = try world()
        let keys = try await world.call(.get, "/keys").json()
        let key = try JWK(json: #require(keys["keys"]?[0]))
        #expect(try key.publicKey() == Self.signer.get().publicKey)
        #expect(keys["keys"]?[0]?["d"] == nil)
        try expectRefusal(.notSupported, try await EngineWorld().call(.get, "/keys"))
    }
}

/// A signer that fails so many times.
private final class FailingSigner: Signer {
    private let base: SoftwareSigner
    private let failures: Mutex<Int>

    init(_ base: SoftwareSigner, failures: Int) {
        self.base = base
        self.failures = Mutex(failures)
    }

    var publicKey: PublicKey { base.publicKey }
    var algorithm: SignatureAlgorithm { base.algorithm }

    func signature(for message: [UInt8]) async throws -> [UInt8] {
        let fails = failures.withLock { rest in
            rest -= 1
            return rest >= 0
        }
        if fails { throw CryptoError(.engineFailure, "the device does not answer") }
        return try base.signature(for: message)
    }
}
