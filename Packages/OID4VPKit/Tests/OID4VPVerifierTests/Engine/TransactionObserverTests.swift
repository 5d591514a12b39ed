import CredentialServing
import CredentialTransport
import Foundation
import HTTPTypes
import JSONKit
import Synchronization
import TestSupport
import Testing

@testable import OID4VPVerifier

/// The events of transactions that an observer receives.
struct TransactionObserverTests {
    private let seen = Seen()

    /// The observations of a server, in their order.
    final class Seen: Sendable {
        private let list = Mutex<[TransactionObservation]>([])

        var all: [TransactionObservation] { list.withLock { $0 } }
        var names: [String] { all.map(\.event.name.description) }
        var observer: TransactionObserver {
            TransactionObserver { observation in self.list.withLock { $0.append(observation) } }
        }
    }

    private func world(_ change: (inout EngineWorld.Setup) throws -> Void = { _ in }) throws -> EngineWorld {
        try EngineWorld {
            $0.observer = seen.observer
            try change(&$0)
        }
    }

    @Test func aTransactionIsToldFromItsStartToItsResult() async throws {
        let world = try world()
        let transaction = try await world.begin()
        world.wait(.seconds(2))
        try await transaction.answer()
        _ = try await transaction.result()
        #expect(seen.names == ["created", "request_fetched", "response_received", "verified", "result_fetched"])
        // It is what the log has.
        #expect(seen.all.map(\.event) == (try await world.server.events(of: transaction.id)))
        let identifier = TransactionTokens.logIdentifier(of: transaction.id)
        for observation in seen.all {
            #expect(observation.transaction == identifier && observation.relyingParty == "shop")
            #expect(observation.requestor == "backend")
            #expect(observation.reason == nil && observation.walletError == nil)
        }
        #expect(seen.all.map(\.duration) == [.zero] + Array(repeating: .seconds(2), count: 4))
        let verified = try #require(seen.all.first { $0.event.name == .verified })
        #expect("\(verified)" == "verified transaction \(identifier) of shop for backend after 2.0 seconds")
    }

    @Test func aTransactionOfTheProcessHasNoRequestor() async throws {
        let world = try world()
        let query = try DCQLQuery(json: JSONValue(parsing: EngineWorld.query))
        let started = try await world.server.start(TransactionRequest(of: "bank", for: query))
        #expect(seen.all.map(\.relyingParty) == ["bank"] && seen.all.map(\.requestor) == [nil])
        #expect(seen.all.map(\.transaction) == [started.logIdentifier])
        #expect(started.logIdentifier.utf8.count == 12 && !started.id.contains(started.logIdentifier))
    }

    @Test func aRefusedResponseIsToldWithItsReason() async throws {
        let transaction = try await world().begin()
        try await transaction.answer("bad")
        #expect(seen.names.last == "failed")
        #expect(seen.all.last?.reason == .invalidHolderBinding && seen.all.last?.walletError == nil)
        // Only the end has the reason.
        #expect(seen.all.dropLast().allSatisfy { $0.reason == nil })
    }

    @Test func theErrorOfAWalletIsTold() async throws {
        let transaction = try await world().begin()
        let state = try await transaction.state()
        _ = try await transaction.post(transaction.responsePath, "error=access_denied&state=\(state)")
        #expect(seen.names.last == "declined" && seen.all.last?.walletError == .accessDenied)
        #expect(seen.all.last?.reason == nil)
    }

    @Test func refusalsThatEndNothingAreTold() async throws {
        let transaction = try await world().begin()
        _ = try await transaction.post(transaction.requestPath, "wallet_metadata=1")
        _ = try await transaction.post(transaction.responsePath, TestTransaction.form("good", state: "other"))
        #expect(seen.names == ["created", "request_refused", "response_refused"])
        #expect(seen.all.map(\.event.detail) == [nil, "invalidWalletMetadata", "stateMismatch"])
    }

    @Test func anExpiredTransactionIsToldWithoutAnyCall() async throws {
        let world = try world()
        _ = try await world.begin()
        world.wait(.seconds(300))
        await world.server.endExpiredTransactions()
        await world.server.endExpiredTransactions()
        #expect(seen.names == ["created", "expired"])
        #expect(seen.all.last?.duration == .seconds(300))
    }

    @Test func aCancelledTransactionIsTold() async throws {
        let world = try world()
        let transaction = try await world.begin()
        try await world.server.cancel(transaction.id)
        try await world.server.cancel(transaction.id)
        #expect(seen.names == ["created", "cancelled"])
    }

    /// Each process tells the changes that it makes.
    @Test func anotherProcessTellsItsOwnChanges() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let other = try world.restarted { $0.observer = seen.observer }
        #expect(seen.names.isEmpty)
        try await transaction.on(other).answer()
        #expect(seen.names == ["request_fetched", "response_received", "verified"])
    }

    @Test func aStoreThatFailsIsTold() async throws {
        let world = try world()
        let transaction = try await world.begin()
        await world.store.close()
        try expectRefusal(.unavailable, try await transaction.fetch())
        try expectRefusal(.unavailable, try await world.call(.get, transaction.path))
        try expectRefusal(.unavailable, try await world.call(.post, "/transactions", EngineWorld.wish()))
        #expect(seen.names == ["created", "store_failed", "store_failed", "store_failed"])
        #expect(seen.all.map(\.event.detail) == [nil, "closed", "closed", "closed"])
        let identifier = TransactionTokens.logIdentifier(of: transaction.id)
        // The request of a wallet is looked up by another name.
        #expect(seen.all.map(\.transaction).prefix(3) == [identifier, nil, identifier])
        #expect(seen.all.map(\.description).contains("store_failed closed"))
    }

    @Test func anUnknownTransactionIsNoFailureOfTheStore() async throws {
        let world = try world()
        try expectRefusal(
            .unknownTransaction,
            try await world.call(.get, "/transactions/AAAAAAAAAAAAAAAAAAAAAA")
        )
        #expect(seen.names.isEmpty)
    }

    @Test func nothingThatIsToldOpensATransactionOrIsAClaim() async throws {
        let world = try world()
        let transaction = try await world.begin(EngineWorld.redirect)
        let (state, _) = try await transaction.request()
        let code = try await transaction.answer().responseCode()
        _ = try await transaction.result("wrong")
        _ = try await transaction.result(code)
        let failed = try await world.begin()
        try await failed.answer("bad")
        #expect(seen.all.count > 8)
        let page = transaction.json["status_uri"]?.stringValue?.split(separator: "/").last.map(String.init)
        let request = transaction.requestPath.split(separator: "/").last.map(String.init)
        let secrets = [
            transaction.id, failed.id, state, code, ScriptedParty.claim, EngineWorld.token, try #require(page),
            try #require(request),
        ]
        for observation in seen.all {
            var dumped = ""
            dump(observation, to: &dumped)
            for secret in secrets { #expect(!dumped.contains(secret), "\(dumped)") }
        }
    }
}
