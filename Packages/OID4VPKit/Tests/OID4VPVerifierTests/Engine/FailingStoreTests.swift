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

    private func world(_ party: ScriptedParty = ScriptedParty()) throws -> (EngineWorld, FailingStore) {
        let clock = ManualClock()
        let store = FailingStore(MemorySessionStore(clock: EngineWorld.sessionClock(clock)))
        let world = try EngineWorld {
            $0.party = party
            $0.clock = clock
            $0.store = store
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

    @Test func aStoreThatIsAwayIsAnAnswer() async throws {
        let (world, store) = try world()
        let transaction = try await world.begin()
        let form = TestTransaction.form("good", state: try await transaction.state())
        store.fail(.unavailable)
        try expectRefusal(.unavailable, try await transaction.post(transaction.responsePath, form))
        // Nothing was taken, and the wallet may try again.
        #expect(try await transaction.post(transaction.responsePath, form).status == .ok)
    }

    @Test func aLostAnswerTakesTheResponseOnceAtMost() async throws {
        let (world, store) = try world()
        let transaction = try await world.begin()
        let form = TestTransaction.form("good", state: try await transaction.state())
        store.fail(.lostAnswer)
        try expectRefusal(.unavailable, try await transaction.post(transaction.responsePath, form))
        // The same response is answered when the first attempt has ended.
        let second = Task { try await transaction.post(transaction.responsePath, form) }
        await world.clock.waitForSleeper(.seconds(30))
        world.wait(.seconds(30))
        try expectRefusal(.refusedResponse, try await second.value)
        #expect(world.party.verifications.withLock { $0 } == 0)
        #expect(try await transaction.result().json()["failure"]?["code"] == "interrupted")
    }

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
        let gate = Gate()
        let (world, store) = try world(ScriptedParty(gate: gate))
        let transaction = try await world.begin(Self.callback)
        let form = TestTransaction.form("good", state: try await transaction.state())
        let answer = Task { try await transaction.post(transaction.responsePath, form) }
        await gate.waitForTasks(1)
        store.fail(.lostAnswer)
        gate.open()
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
        case unavailable
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
    func shutdown() async { await base.shutdown() }
}
