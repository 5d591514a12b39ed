import CredentialServing
import Foundation
import HTTPTypes
import JSONKit
import TestSupport
import Testing

@testable import OID4VPVerifier

/// The limits on bodies, logs and open transactions.
struct TransactionLimitTests {
    @Test func aBodyAtTheLimitIsReadAndOnePastItIsNot() async throws {
        let world = try EngineWorld {
            $0.options.maximumCallSize = 1000
            $0.options.maximumResponseSize = 1000
            $0.options.maximumWalletMetadataSize = 1000
        }
        let transaction = try await world.begin()
        let platform = try await world.begin(#""form": "digital_credentials""#)
        func text(_ count: Int) -> String { String(repeating: "x", count: count) }
        for path in [transaction.responsePath, transaction.requestPath, "/oid4vp/response"] {
            try expectRefusal(.tooLarge, try await transaction.post(path, text(1001)))
            #expect(try await transaction.post(path, text(1000)).status != .contentTooLarge)
        }
        for path in ["/transactions", platform.path + "/digital-credential"] {
            try expectRefusal(.tooLarge, try await world.call(.post, path, text(1001)))
            try expectRefusal(.invalidRequest, try await world.call(.post, path, text(1000)))
        }
        try expectRefusal(.tooLarge, try await world.call(.post, transaction.path + "/result", text(4097)))
    }

    @Test func aRelyingPartyHasSoManyOpenTransactions() async throws {
        let world = try EngineWorld { $0.options.maximumOpenTransactions = 3 }
        let first = try await world.begin()
        for _ in 0..<2 { _ = try await world.begin() }
        try expectRefusal(.tooManyTransactions, try await world.call(.post, "/transactions", EngineWorld.wish()))
        // Those of others do not count.
        let bank = EngineWorld.wish(#""relying_party": "bank""#)
        #expect(try await world.call(.post, "/transactions", token: EngineWorld.otherToken, bank).status == .created)
        // One that has ended makes room.
        try await first.answer()
        _ = try await world.begin()
        try expectRefusal(.tooManyTransactions, try await world.call(.post, "/transactions", EngineWorld.wish()))
        // So do those whose time is up.
        world.wait(.seconds(300))
        for _ in 0..<3 { _ = try await world.begin() }
        try expectRefusal(.tooManyTransactions, try await world.call(.post, "/transactions", EngineWorld.wish()))
    }

    @Test func aTransactionThatAnotherProcessEndedDoesNotCountAfterItsDeadline() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        world.wait(.seconds(100))
        try await world.restarted().server.cancel(transaction.id)
        world.wait(.seconds(200))
        #expect(world.server.openTransactions.count(of: "shop") == 1)
        await world.server.endExpiredTransactions()
        #expect(world.server.openTransactions.count(of: "shop") == 0)
        #expect(world.server.awaited.count == 0)
    }

    @Test(arguments: [(20_000, 100_000), (200_000, 400_000), (.max, .max)] as [(Int, Int)])
    func awaitsTheEndsOfAllOpenTransactions(open: Int, count: Int) {
        let options = TransactionServerOptions(maximumOpenTransactions: open)
        #expect(TransactionServer.maximumAwaitedCount(options) == count)
    }

    /// A relying party without transactions takes no room.
    @Test func deadlinesAreKeptByRelyingParty() {
        let deadlines = PartyDeadlines(maximumCount: 1)
        #expect(deadlines.add("a", of: "shop", until: 10) && !deadlines.add("b", of: "shop", until: 20))
        #expect(deadlines.add("a", of: "shop", until: 15) && deadlines.add("c", of: "bank", until: 30))
        #expect(deadlines.count == 2 && deadlines.count(of: "shop") == 1 && deadlines.count(of: "else") == 0)
        deadlines.dropExpired(of: "shop", at: 30)
        #expect(deadlines.count(of: "shop") == 0 && deadlines.add("b", of: "shop", until: 20))
        deadlines.forget("b", of: "bank")
        #expect(deadlines.takeExpired(at: 19).isEmpty)
        let expired = deadlines.takeExpired(at: 20)
        #expect(expired.map(\.id) == ["b"] && expired.map(\.party) == ["shop"])
        deadlines.forget("c", of: "bank")
        #expect(deadlines.count == 0)
    }

    @Test func aTransactionThatWasNotKeptDoesNotCount() async throws {
        let store = MemorySessionStore()
        await store.close()
        let world = try EngineWorld { $0.store = store }
        try expectRefusal(.unavailable, try await world.call(.post, "/transactions", EngineWorld.wish()))
        #expect(world.server.openTransactions.count(of: "shop") == 0)
    }

    @Test func aFullStoreIsAnAnswer() async throws {
        let clock = ManualClock()
        let world = try EngineWorld {
            $0.clock = clock
            $0.store = MemorySessionStore(
                capacity: MemorySessionCapacity(maximumEntries: 2),
                clock: EngineWorld.sessionClock(clock)
            )
        }
        for _ in 0..<2 { _ = try await world.begin() }
        try expectRefusal(.unavailable, try await world.call(.post, "/transactions", EngineWorld.wish()))
    }

    @Test func aWishThatTheStoreCannotKeepIsRefused() async throws {
        let clock = ManualClock()
        let world = try EngineWorld {
            $0.clock = clock
            $0.store = MemorySessionStore(
                limits: SessionLimits(maximumValueSize: 500),
                clock: EngineWorld.sessionClock(clock)
            )
        }
        try expectRefusal(.tooLarge, try await world.call(.post, "/transactions", EngineWorld.wish()))
    }

    @Test func claimsThatTheStoreCannotKeepEndTheTransaction() async throws {
        let clock = ManualClock()
        let world = try EngineWorld {
            $0.clock = clock
            $0.party = ScriptedParty(claims: .string(String(repeating: "x", count: 20_000)))
            $0.store = MemorySessionStore(
                limits: SessionLimits(maximumValueSize: 10_000),
                clock: EngineWorld.sessionClock(clock)
            )
        }
        let transaction = try await world.begin()
        try expectRefusal(.rejectedResponse, try await transaction.answer())
        #expect(try await transaction.result().json()["failure"]?["code"] == "tooLarge")
    }

    /// A list that the stored transaction could not be read with is refused at the start.
    @Test(arguments: [64, 65])
    func aTransactionHasSoManyAuthorizations(count: Int) async throws {
        let world = try EngineWorld()
        var request = TransactionRequest(of: "shop", for: try DCQLQuery(json: JSONValue(parsing: EngineWorld.query)))
        request.transactionData = Array(repeating: ["type": "pay", "credential_ids": ["pid"]], count: count)
        do throws(TransactionError) {
            let started = try await world.server.start(request)
            #expect(try await world.server.status(of: started.id) == .created)
            #expect(count == 64)
        } catch {
            #expect(error.code == .invalidRequest && error.path == ["transaction_data"])
            #expect(count == 65)
        }
    }

    @Test func strangersDoNotFillTheLog() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        for _ in 0..<100 { _ = try await transaction.fetch() }
        for _ in 0..<100 { _ = try await transaction.post(transaction.responsePath, "state=x") }
        #expect(try await transaction.events().count == TransactionEvent.maximumRepeatedCount)
        try await transaction.answer()
        #expect(try await transaction.events().suffix(2) == ["response_received", "verified"])
    }

    @Test func leavesOutAnUnknownErrorCodeOfAWallet() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let form = "error=x%0A%22&state=\(try await transaction.state())"
        #expect(try await transaction.post(transaction.responsePath, form).status == .ok)
        #expect(try await transaction.events().last == "declined:unknown")
    }

    @Test func aWalletsTextIsCut() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let long = String(repeating: "y", count: 5000)
        let form = "error=\(long)&error_description=\(long)&state=\(try await transaction.state())"
        #expect(try await transaction.post(transaction.responsePath, form).status == .ok)
        let failure = try await transaction.result().json()["failure"]
        #expect(failure?["code"]?.stringValue?.count == 64)
        #expect(failure?["message"]?.stringValue?.count == 256)
        #expect(try await transaction.events().last?.count == "declined:".count + 64)
    }

    /// The store counts keys, values and its bookkeeping; 10,000 then take less than 100 MB.
    @Test func openTransactionsOfARealPartyAreSmall() async throws {
        let clock = ManualClock()
        let store = MemorySessionStore(
            capacity: MemorySessionCapacity(maximumBytes: 10_000_000),
            clock: EngineWorld.sessionClock(clock)
        )
        let scene = try await WalletScene(store: store)
        for _ in 0..<1000 { _ = try await scene.start() }
        #expect(store.count == 1000)
    }
}
