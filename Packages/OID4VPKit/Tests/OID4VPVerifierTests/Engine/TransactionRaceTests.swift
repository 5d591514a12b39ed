import CredentialServing
import Foundation
import HTTPTypes
import JSONKit
import Synchronization
import TestSupport
import Testing

@testable import OID4VPVerifier

/// Calls at the same time, restarts between them, and stores that fail.
struct TransactionRaceTests {
    @Test func ofTwoResponsesAtOnceOneIsTaken() async throws {
        let gate = Gate()
        let world = try EngineWorld { $0.party = ScriptedParty(gate: gate) }
        let transaction = try await world.begin()
        let form = TestTransaction.form("good", state: try await transaction.state())
        let statuses = await withTaskGroup { group in
            for number in 0..<8 {
                // The same presentation in another body is another response.
                let form = form + "&n=\(number)"
                group.addTask { try? await transaction.post(transaction.responsePath, form).status.code }
            }
            group.addTask {
                await gate.waitForTasks(1)
                gate.open()
                return nil
            }
            return await group.reduce(into: [Int]()) { statuses, status in if let status { statuses.append(status) } }
        }
        #expect(statuses.sorted() == [200] + Array(repeating: 400, count: 7))
        #expect(world.party.verifications.withLock { $0 } == 1)
        #expect(try await transaction.status() == "verified")
    }

    @Test func ofTwoFetchesAtOnceOneHasTheClaims() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        try await transaction.answer()
        let statuses = await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { try? await transaction.result().status.code } }
            return await group.reduce(into: [Int]()) { statuses, status in statuses.append(status ?? 0) }
        }
        #expect(statuses.sorted() == [200] + Array(repeating: 410, count: 7))
    }

    /// Posts a response, and holds its verification back.
    private func answering(
        _ transaction: TestTransaction,
        _ gate: Gate
    ) async throws -> Task<InMemoryResponse, any Error> {
        let form = TestTransaction.form("good", state: try await transaction.state())
        let task = Task { try await transaction.post(transaction.responsePath, form) }
        await gate.waitForTasks(1)
        return task
    }

    @Test func aResponseBeforeTheDeadlineIsVerifiedAfterIt() async throws {
        let gate = Gate()
        let world = try EngineWorld {
            $0.party = ScriptedParty(gate: gate)
            $0.options.callDeadline = .seconds(600)
        }
        let transaction = try await world.begin()
        world.wait(.seconds(290))
        let answer = try await answering(transaction, gate)
        #expect(try await transaction.status() == "answered")
        try expectRefusal(.notEnded, try await transaction.result())
        world.wait(.seconds(20))
        #expect(try await transaction.status() == "answered")
        gate.open()
        #expect(try await answer.value.status == .ok)
        #expect(try await transaction.status() == "verified")
    }

    @Test func aVerificationThatDoesNotEndFails() async throws {
        let gate = Gate()
        let world = try EngineWorld { $0.party = ScriptedParty(gate: gate) }
        let transaction = try await world.begin()
        let answer = try await answering(transaction, gate)
        world.wait(.seconds(30))
        #expect(try await transaction.status() == "failed")
        #expect(try await transaction.result().json()["failure"]?["code"] == "interrupted")
        // What comes later changes nothing.
        gate.open()
        try expectRefusal(.refusedResponse, try await answer.value)
        #expect(try await transaction.status() == "failed")
        #expect(try await transaction.events().suffix(2) == ["response_received", "failed:interrupted"])
    }

    /// The transaction ends without anybody looking, and the verification is cancelled.
    @Test func aLateVerificationIsCancelled() async throws {
        let party = ScriptedParty(gate: Gate(isCancellable: true))
        let world = try EngineWorld { $0.party = party }
        let transaction = try await world.begin()
        let form = TestTransaction.form("good", state: try await transaction.state())
        let answer = Task { try await transaction.post(transaction.responsePath, form) }
        await world.clock.waitForSleeper(.seconds(30))
        world.wait(.seconds(30))
        try expectRefusal(.refusedResponse, try await answer.value)
        #expect(try await transaction.result().json()["failure"]?["code"] == "interrupted")
    }

    /// A part of a verification that does not react holds up neither the transaction nor the wallet's connection.
    @Test func aWalletIsNotHeldUp() async throws {
        let gate = Gate()
        let world = try EngineWorld { $0.party = ScriptedParty(gate: gate) }
        let transaction = try await world.begin()
        var statuses = try await world.server.statuses(of: transaction.id).makeAsyncIterator()
        let answer = try await answering(transaction, gate)
        world.wait(.seconds(30))
        while let status = await statuses.next(), !status.isFinal {}
        #expect(try await transaction.status() == "failed")
        await world.clock.waitForSleeper(.seconds(10))
        world.wait(.seconds(10))
        try expectRefusal(.unavailable, try await answer.value)
        gate.open()
    }

    /// A backend that hands a response on has the same time.
    @Test func aLateResponseOfAPlatformHasFailed() async throws {
        let world = try EngineWorld { $0.party = ScriptedParty(gate: Gate(isCancellable: true)) }
        let transaction = try await world.begin(#""form": "digital_credentials""#)
        let body = #"{"origin": "https://shop.example", "data": {"vp_token": {"pid": ["good"]}}}"#
        let answer = Task { try await world.call(.post, transaction.path + "/digital-credential", body) }
        await world.clock.waitForSleeper(.seconds(30))
        world.wait(.seconds(30))
        #expect(try await answer.value.json()["status"] == "failed")
    }

    @Test func aCancelledVerificationChangesNothing() async throws {
        let gate = Gate()
        let world = try EngineWorld { $0.party = ScriptedParty(gate: gate) }
        let transaction = try await world.begin()
        let answer = try await answering(transaction, gate)
        try await world.server.cancel(transaction.id)
        gate.open()
        try expectRefusal(.refusedResponse, try await answer.value)
        #expect(try await transaction.status() == "cancelled")
        #expect(try await transaction.result().json()["credentials"] == nil)
    }

    @Test func aWalletThatGoesAwayHasAnsweredAllTheSame() async throws {
        let gate = Gate()
        let world = try EngineWorld { $0.party = ScriptedParty(gate: gate) }
        let transaction = try await world.begin()
        let exchange = try await transaction.openAnswer()
        await gate.waitForTasks(1)
        exchange.disconnect()
        gate.open()
        var last: TransactionStatus?
        for await status in try await world.server.statuses(of: transaction.id) { last = status }
        #expect(last == .verified)
    }

    @Test func aRestartBetweenAnyTwoCallsIsNotSeen() async throws {
        let first = try EngineWorld()
        let transaction = try await first.begin(EngineWorld.redirect + #", "encrypted": true"#)
        var world = try first.restarted()
        let (state, key) = try await transaction.on(world).request()
        world = try first.restarted()
        let form = try TestTransaction.encrypted("good", state: state, to: #require(key))
        let answer = try await transaction.on(world).post(transaction.responsePath, form)
        world = try first.restarted()
        #expect(try await transaction.on(world).status() == "verified")
        let code = try answer.responseCode()
        let repetition = try await transaction.on(world).post(transaction.responsePath, form)
        #expect(try repetition.responseCode() == code)
        world = try first.restarted()
        #expect(try await transaction.on(world).result(code).json()["credentials"] != nil)
        world = try first.restarted()
        try expectRefusal(.alreadyFetched, try await transaction.on(world).result(code))
    }

    @Test func statesOfAnotherProcessAreTold() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        var iterator = try await world.server.statuses(of: transaction.id).makeAsyncIterator()
        #expect(await iterator.next() == .created)
        try await world.restarted().server.cancel(transaction.id)
        #expect(await iterator.next() == .cancelled)
    }

    @Test func aTransactionOfAnotherServersPartyIsNotServed() async throws {
        let world = try EngineWorld()
        let query = try DCQLQuery(json: JSONValue(parsing: EngineWorld.query))
        let stranger = try TransactionServer(
            url: "https://verifier.example/oid4vp",
            parties: ["else": ScriptedParty()],
            requestors: [],
            options: TransactionServerOptions(),
            services: TransactionServices(store: world.store, clock: EngineWorld.sessionClock(world.clock))
        )
        let started = try await world.server.start(TransactionRequest(of: "shop", for: query))
        let record = try await world.server.record(.requestor(started.id))
        let http = InMemoryServer(try stranger.engine())
        try expectRefusal(.unknownRequest, try await http.response(to: .get("/oid4vp/request/" + record.requestID)))
    }
}
