import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import JSONKit
import Synchronization
import TestSupport
import Testing

@testable import OID4VPVerifier

/// Transactions in a store that fails at the worst moment.
struct FailingStoreTests {
    private static let callback = #""callback_uri": "https://shop.example/result""#

    private func world(
        _ party: ScriptedParty = ScriptedParty(),
        observer: TransactionObserver? = nil
    ) throws -> (EngineWorld, FailingStore) {
        let clock = ManualClock()
        let store = FailingStore(MemorySessionStore(clock: EngineWorld.sessionClock(clock)))
        let world = try EngineWorld {
            $0.party = party
            $0.clock = clock
            $0.store = store
            $0.observer = observer
            $0.signer = try SoftwareSigner(PrivateKey.generate(.p256))
        }
        return (world, store)
    }

    @Test func aWriterThatWasFirstIsNoFault() async throws {
        let (world, store) = try world()
        let transaction = try await world.begin()
        let state = try await transaction.state()
        store.fail(.conflict, .conflict, .conflict)
        let form = TestTransaction.form("good", state: state)
        #expect(try await transaction.post(transaction.responsePath, form).status == .ok)
        #expect(world.party.verifications.withLock { $0 } == 1)
    }

    @Test func writersThatAreAlwaysFirstAreOne() async throws {
        let (world, store) = try world()
        let transaction = try await world.begin()
        store.fail(Array(repeating: .conflict, count: TransactionServer.attempts))
        try expectRefusal(.unavailable, try await world.call(.delete, transaction.path))
        #expect(try await transaction.status() == "created")
    }

    @Test(arguments: [FailingStore.Fault.unavailable, .notAuthorized])
    private func aStoreThatIsAwayIsAnAnswer(_ fault: FailingStore.Fault) async throws {
        let (world, store) = try world()
        let transaction = try await world.begin()
        let form = TestTransaction.form("good", state: try await transaction.state())
        store.fail(fault)
        try expectRefusal(.unavailable, try await transaction.post(transaction.responsePath, form))
        // Nothing was taken, and the wallet may try again.
        #expect(try await transaction.post(transaction.responsePath, form).status == .ok)
    }

    /// The process knows its own mark, or makes the change again.
    @Test(arguments: [FailingStore.Fault.lostAnswer, .lostRequest])
    private func aLostAnswerTakesTheResponseOnce(_ fault: FailingStore.Fault) async throws {
        let (world, store) = try world()
        let transaction = try await world.begin()
        let form = TestTransaction.form("good", state: try await transaction.state())
        store.fail(fault)
        #expect(try await transaction.post(transaction.responsePath, form).status == .ok)
        #expect(world.party.verifications.withLock { $0 } == 1)
        let events = try await transaction.events()
        #expect(events == ["created", "request_fetched:get", "response_received", "verified"])
    }

    @Test(arguments: [FailingStore.Fault.lostAnswerAndAway, .lostRequestAndAway])
    private func anUncertainResponseIsTakenWhenTheStoreIsBack(_ fault: FailingStore.Fault) async throws {
        let (world, store) = try world()
        let transaction = try await world.begin()
        let form = TestTransaction.form("good", state: try await transaction.state())
        store.fail(fault)
        let answer = Task { try await transaction.post(transaction.responsePath, form) }
        await world.clock.waitForSleeper(.milliseconds(100))
        world.wait(.milliseconds(100))
        #expect(try await answer.value.status == .ok)
        #expect(world.party.verifications.withLock { $0 } == 1)
    }

    /// Another response was taken while the first process did not know about its own.
    @Test func aResponseThatAnotherOneOvertookIsRefused() async throws {
        let (world, store) = try world()
        let transaction = try await world.begin()
        let form = TestTransaction.form("good", state: try await transaction.state())
        store.fail(.lostRequestAndAway)
        let answer = Task { try await transaction.post(transaction.responsePath, form) }
        await world.clock.waitForSleeper(.milliseconds(100))
        let other = try transaction.on(world.restarted())
        #expect(try await other.post(transaction.responsePath, form + "&n=1").status == .ok)
        world.wait(.milliseconds(100))
        try expectRefusal(.refusedResponse, try await answer.value)
        #expect(world.party.verifications.withLock { $0 } == 1)
        #expect(try await transaction.status() == "verified")
    }

    // MARK: The observer

    /// The process finds its own mark, and tells the response that an earlier attempt took.
    @Test(arguments: [FailingStore.Fault.lostAnswer, .lostRequest, .lostAnswerAndAway, .lostRequestAndAway])
    private func aLostAnswerTellsTheResponseOnce(_ fault: FailingStore.Fault) async throws {
        let seen = TransactionObserverTests.Seen()
        let (world, store) = try world(observer: seen.observer)
        let transaction = try await world.begin()
        let form = TestTransaction.form("good", state: try await transaction.state())
        store.fail(fault)
        let answer = Task { try await transaction.post(transaction.responsePath, form) }
        if fault.isAway {
            await world.clock.waitForSleeper(.milliseconds(100))
            world.wait(.milliseconds(100))
        }
        #expect(try await answer.value.status == .ok)
        let told = seen.names.filter { $0 != "store_failed" }
        #expect(told == ["created", "request_fetched", "response_received", "verified"])
    }

    /// The error of a wallet is a response, too.
    @Test func anUncertainErrorOfAWalletIsToldWithItsArrival() async throws {
        let seen = TransactionObserverTests.Seen()
        let (world, store) = try world(observer: seen.observer)
        let transaction = try await world.begin()
        let form = "error=access_denied&state=\(try await transaction.state())"
        store.fail(.lostAnswerAndAway)
        try expectRefusal(.unavailable, try await transaction.post(transaction.responsePath, form))
        for _ in 0..<2 { await world.server.tellUncertainEnds() }
        let told = seen.names.filter { $0 != "store_failed" }
        #expect(told == ["created", "request_fetched", "response_received", "declined"])
    }

    // MARK: The end of a verification

    /// Starts a verification whose end the store does not take at first.
    private func ending(
        _ presentation: String,
        _ members: String = "",
        failing faults: [FailingStore.Fault]
    ) async throws -> (transaction: TestTransaction, answer: Task<InMemoryResponse, any Error>) {
        let gate = Gate()
        let (world, store) = try world(ScriptedParty(gate: gate))
        let transaction = try await world.begin(members)
        let form = TestTransaction.form(presentation, state: try await transaction.state())
        let answer = Task { try await transaction.post(transaction.responsePath, form) }
        await gate.waitForTasks(1)
        store.fail(faults)
        gate.open()
        return (transaction, answer)
    }

    @Test(arguments: [FailingStore.Fault.unavailable, .lostRequest, .full], ["good", "bad"])
    private func aVerdictIsKeptWhileTheStoreIsAway(_ fault: FailingStore.Fault, presentation: String) async throws {
        let faults = Array(repeating: fault, count: 3)
        let (transaction, answer) = try await ending(presentation, Self.callback, failing: faults)
        let world = transaction.world
        for pause in [100, 200, 400] {
            await world.clock.waitForSleeper(.milliseconds(pause))
            #expect(try await transaction.status() == "answered")
            world.wait(.milliseconds(pause))
        }
        let isGood = presentation == "good"
        #expect(try await answer.value.status == (isGood ? .ok : .badRequest))
        #expect(try await transaction.status() == (isGood ? "verified" : "failed"))
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 1)
    }

    /// The verdict is stored, and the process learns that only later.
    @Test(arguments: ["good", "bad"])
    func aVerdictWhoseAnswerIsLostIsFoundLater(presentation: String) async throws {
        let members = Self.callback + ", " + EngineWorld.redirect
        let (transaction, answer) = try await ending(presentation, members, failing: [.lostAnswerAndAway])
        let world = transaction.world
        await world.clock.waitForSleeper(.milliseconds(100))
        world.wait(.milliseconds(100))
        let code = try await answer.value.responseCode()
        await world.server.tellUncertainEnds()
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 1)
        #expect(world.server.openTransactions.count(of: "shop") == 0)
        let result = try await transaction.result(code).json()
        #expect(result["status"] == (presentation == "good" ? "verified" : "failed"))
        #expect(try await transaction.events().contains("response_refused:already_ended") == false)
    }

    @Test func aVerdictIsKeptUntilTheDeadline() async throws {
        let faults = Array(repeating: FailingStore.Fault.unavailable, count: 100)
        let (transaction, answer) = try await ending("good", failing: faults)
        let world = transaction.world
        for pause in [100, 200, 400, 800, 1600] + Array(repeating: 2000, count: 14) {
            await world.clock.waitForSleeper(.milliseconds(pause))
            world.wait(.milliseconds(pause))
        }
        try expectRefusal(.unavailable, try await answer.value)
    }

    /// A store that is closed does not come back.
    @Test func aClosedStoreIsNotWaitedFor() async throws {
        let (_, answer) = try await ending("good", failing: [.closed])
        try expectRefusal(.unavailable, try await answer.value)
    }

    @Test func aVerdictAfterACancellationChangesNothing() async throws {
        let (transaction, answer) = try await ending("good", failing: [.unavailable])
        await transaction.world.clock.waitForSleeper(.milliseconds(100))
        try await transaction.world.server.cancel(transaction.id)
        transaction.world.wait(.milliseconds(100))
        try expectRefusal(.refusedResponse, try await answer.value)
        #expect(try await transaction.status() == "cancelled")
    }

    // MARK: Other changes

    @Test func aLostAnswerGivesNoClaimsTwice() async throws {
        let (world, store) = try world()
        let transaction = try await world.begin()
        try await transaction.answer()
        store.fail(.lostAnswer)
        try expectRefusal(.unavailable, try await transaction.result())
        try expectRefusal(.alreadyFetched, try await transaction.result())
    }

    @Test func aDeadlineSeenByTwoIsToldOnce() async throws {
        let (world, store) = try world()
        let transaction = try await world.begin()
        world.wait(.seconds(300))
        store.fail(.conflict)
        #expect(try await transaction.status() == "expired")
        #expect(try await transaction.events() == ["created", "expired"])
    }

    /// A store that is away when the time is up is asked again.
    @Test func aDeadlineIsSeenAfterTheStoreIsBack() async throws {
        let (world, store) = try world()
        _ = try await world.begin()
        world.wait(.seconds(300))
        store.fail(.unavailable)
        await world.server.endExpiredTransactions()
        #expect(world.server.awaited.count == 1)
        world.wait(.seconds(1))
        await world.server.endExpiredTransactions()
        #expect(world.server.awaited.count == 0)
        #expect(world.server.openTransactions.count(of: "shop") == 0)
    }

    @Test(arguments: [true, false])
    func anEndWhoseAnswerIsLostIsTold(isCancelled: Bool) async throws {
        let (world, store) = try world()
        let transaction = try await world.begin(Self.callback)
        store.fail(.lostAnswer)
        if isCancelled {
            try await world.server.cancel(transaction.id)
        } else {
            world.wait(.seconds(300))
            await world.server.endExpiredTransactions()
        }
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 1)
        #expect(world.server.awaited.count == 0)
        #expect(world.server.openTransactions.count(of: "shop") == 0)
        let end = isCancelled ? "cancelled" : "expired"
        #expect(try await transaction.events() == ["created", end, "callback_accepted"])
    }

    @Test func aVerificationWhoseAnswerIsLostIsTold() async throws {
        let (transaction, answer) = try await ending("good", Self.callback, failing: [.lostAnswer])
        let world = transaction.world
        #expect(try await answer.value.status == .ok)
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 1)
        #expect(try await transaction.status() == "verified")
    }

    /// The store is away for the look after a lost answer, too, and the end is told when it is back.
    @Test(arguments: [false, true])
    func anEndThatIsUncertainIsToldLater(hasEvents: Bool) async throws {
        let (world, store) = try world()
        let transaction = try await world.begin(Self.callback)
        store.fail(.lostAnswerAndAway)
        await #expect(throws: TransactionError.self) { try await world.server.cancel(transaction.id) }
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.isEmpty)
        // What happens after the end changes nothing about it.
        let state = "AAAAAAAAAAAAAAAAAAAAAA"
        if hasEvents {
            _ = try await transaction.post(transaction.responsePath, TestTransaction.form("good", state: state))
        }
        store.failRead()
        await world.server.tellUncertainEnds()
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.isEmpty)
        for _ in 0..<2 { await world.server.tellUncertainEnds() }
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 1)
        #expect(world.server.openTransactions.count(of: "shop") == 0)
    }

    @Test func anUncertainEndThatWasNotMadeIsNotTold() async throws {
        let (world, store) = try world()
        let transaction = try await world.begin(Self.callback)
        store.fail(.lostRequestAndAway)
        await #expect(throws: TransactionError.self) { try await world.server.cancel(transaction.id) }
        await world.server.tellUncertainEnds()
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.isEmpty)
        #expect(try await transaction.status() == "created")
    }

    /// The change did not reach the store, and the end is told when it is made.
    @Test func anEndThatWasNotMadeIsToldLater() async throws {
        let (world, store) = try world()
        let transaction = try await world.begin(Self.callback)
        world.wait(.seconds(300))
        store.fail(.lostRequest)
        await world.server.endExpiredTransactions()
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.isEmpty)
        #expect(world.server.awaited.count == 1)
        world.wait(.seconds(1))
        await world.server.endExpiredTransactions()
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 1)
        #expect(try await transaction.status() == "expired")
    }
}

/// A store whose next swaps fail, before or after they were made.
private final class FailingStore: SessionStore {
    enum Fault: Sendable {
        /// Another writer is first.
        case conflict
        /// The swap is made, and the answer is lost.
        case lostAnswer
        /// Nothing is changed, and no answer comes.
        case lostRequest
        /// The same, and the next read fails.
        case lostAnswerAndAway, lostRequestAndAway
        /// Nothing is changed.
        case unavailable, notAuthorized, full, closed

        /// Indicates that the next read fails.
        var isAway: Bool { self == .lostAnswerAndAway || self == .lostRequestAndAway }
    }

    private let base: MemorySessionStore
    private let faults = Mutex<[Fault]>([])
    private let failsRead = Mutex(false)

    init(_ base: MemorySessionStore) {
        self.base = base
    }

    func fail(_ faults: Fault...) { fail(faults) }
    func fail(_ faults: [Fault]) { self.faults.withLock { $0 = faults } }

    func failRead() { failsRead.withLock { $0 = true } }

    func swap(_ entry: SessionEntry) async throws(SessionStoreError) -> SessionEntry {
        switch faults.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        case nil: return try await base.swap(entry)
        case .conflict: throw SessionStoreError(.conflict, "another writer was first")
        case .unavailable: throw SessionStoreError(.unavailable, "away")
        case .notAuthorized: throw SessionStoreError(.notAuthorized, "another password")
        case .full: throw SessionStoreError(.full, "no room")
        case .closed: throw SessionStoreError(.closed, "closed")
        case .lostRequest: throw SessionStoreError(.outcomeUnknown, "no answer")
        case .lostRequestAndAway:
            failRead()
            throw SessionStoreError(.outcomeUnknown, "no answer")
        case .lostAnswerAndAway:
            _ = try await base.swap(entry)
            failRead()
            throw SessionStoreError(.outcomeUnknown, "no answer")
        case .lostAnswer:
            _ = try await base.swap(entry)
            throw SessionStoreError(.outcomeUnknown, "no answer")
        }
    }

    var limits: SessionLimits { base.limits }
    func insert(_ entry: SessionEntry) async throws(SessionStoreError) { try await base.insert(entry) }
    func entry(for key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        let fails = failsRead.withLock { fails in
            defer { fails = false }
            return fails
        }
        if fails { throw SessionStoreError(.unavailable, "away") }
        return try await base.entry(for: key)
    }
    func entry(forSecondaryKey key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        try await base.entry(forSecondaryKey: key)
    }
    func delete(_ key: SessionKey, version: SessionVersion?) async throws(SessionStoreError) -> Bool {
        try await base.delete(key, version: version)
    }
    func changes(of key: SessionKey, after version: SessionVersion?) -> SessionChanges {
        base.changes(of: key, after: version)
    }
    func check() async throws(SessionStoreError) { try await base.check() }
    func run() async { await base.run() }
    func close() async { await base.close() }
}
