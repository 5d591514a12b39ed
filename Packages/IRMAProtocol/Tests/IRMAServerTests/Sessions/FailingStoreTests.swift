import CredentialServing
import CredentialTransport
import Foundation
import HTTPTypes
import IRMAMessages
import JSONKit
import Synchronization
import Testing

@testable import IRMAServer

/// A store whose next swaps fail, before or after they were made.
final class FailingStore: SessionStore {
    enum Fault: Sendable {
        /// The swap is made.
        case none
        /// Another writer is first.
        case conflict
        /// The swap is made, and the answer is lost.
        case lostAnswer
        /// The same, and the store cannot be read until it is back.
        case lostAnswerAndAway
        /// Nothing is changed, and the store cannot be read until it is back.
        case lostRequestAndAway
        /// Nothing is changed, and no answer comes.
        case lostRequest
        /// Nothing is changed.
        case unavailable
    }

    private let base: MemorySessionStore
    private let faults = Mutex<[Fault]>([])
    private let isAway = Mutex(false)
    private let refusesInsert = Mutex(false)

    init(_ clock: SessionClock) {
        base = MemorySessionStore(clock: clock)
    }

    func fail(_ faults: Fault...) { fail(faults) }
    func fail(_ faults: [Fault]) { self.faults.withLock { $0 = faults } }
    func failNextInsert() { refusesInsert.withLock { $0 = true } }
    func comeBack() { isAway.withLock { $0 = false } }

    var limits: SessionLimits { base.limits }
    func insert(_ entry: SessionEntry) async throws(SessionStoreError) {
        let isRefused = refusesInsert.withLock { refuses in
            defer { refuses = false }
            return refuses
        }
        guard !isRefused else { throw SessionStoreError(.unavailable, "away") }
        try await base.insert(entry)
    }
    func entry(for key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        try checkPresence()
        return try await base.entry(for: key)
    }
    func entry(forSecondaryKey key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        try checkPresence()
        return try await base.entry(forSecondaryKey: key)
    }

    private func checkPresence() throws(SessionStoreError) {
        if isAway.withLock({ $0 }) { throw SessionStoreError(.unavailable, "away") }
    }

    func swap(_ entry: SessionEntry) async throws(SessionStoreError) -> SessionEntry {
        let fault = faults.withLock { $0.isEmpty ? Fault.none : $0.removeFirst() }
        switch fault {
        case .none: return try await base.swap(entry)
        case .conflict: throw SessionStoreError(.conflict, "another writer was first")
        case .unavailable: throw SessionStoreError(.unavailable, "away")
        case .lostRequest: throw SessionStoreError(.outcomeUnknown, "no answer")
        case .lostAnswer, .lostAnswerAndAway, .lostRequestAndAway:
            if fault != .lostRequestAndAway { _ = try await base.swap(entry) }
            if fault != .lostAnswer { isAway.withLock { $0 = true } }
            throw SessionStoreError(.outcomeUnknown, "no answer")
        }
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

/// Sessions in a store that fails at the worst moment.
@Suite struct FailingStoreTests {
    private func world() throws -> (ServerWorld, FailingStore) {
        let time = TestTime(ServerScene.now)
        let store = FailingStore(time.sessionClock)
        let world = try ServerWorld {
            $0.time = time
            $0.store = store
            $0.options.allowsUnsignedCallbacks = true
        }
        return (world, store)
    }

    @Test func anAnswerThatWasKeptIsGivenThoughTheStoreDidNotSaySo() async throws {
        let (world, store) = try world()
        let package = try await world.start { $0.callbackURL = "https://shop.example/result" }
        let wallet = world.wallet(package)
        let proofs = try wallet.proofs([(world.scene.card(), [2])], [[(0, 2)]], for: await wallet.request())
        store.fail(.lostAnswer)
        #expect(try await wallet.post("proofs", proofs).json() == ["proofStatus": "VALID"])
        #expect(try await world.server.status(of: package.token) == .done)
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 1)
    }

    @Test(arguments: [SessionStatus.cancelled, .timedOut])
    func anEndWhoseAnswerIsLostIsTold(status: SessionStatus) async throws {
        let (world, store) = try world()
        let package = try await world.start { $0.callbackURL = "https://shop.example/result" }
        store.fail(.lostAnswer)
        if status == .cancelled {
            try await world.server.cancel(package.token)
        } else {
            world.time.advance(by: .seconds(900))
            await world.server.endTimedOutSessions()
        }
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 1)
        #expect(world.server.awaited.count == 0)
        #expect(try await world.server.status(of: package.token) == status)
    }

    /// The store comes back seconds later; the wallet's message once more tells nothing of its own.
    @Test func anEndIsToldWhenTheStoreIsBack() async throws {
        let (world, store) = try world()
        let package = try await world.start { $0.callbackURL = "https://shop.example/result" }
        let wallet = world.wallet(package)
        let proofs = try wallet.proofs([(world.scene.card(), [2])], [[(0, 2)]], for: await wallet.request())
        store.fail(.lostAnswerAndAway)
        try expectError(.internalError, in: await wallet.post("proofs", proofs))
        await world.server.endTimedOutSessions()
        store.comeBack()
        #expect(try await wallet.post("proofs", proofs).json() == ["proofStatus": "VALID"])
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.isEmpty)
        for _ in 0..<2 {
            await world.server.endTimedOutSessions()
            await world.server.finishDeliveries()
            #expect(world.callbacks.requests.count == 1)
        }
        #expect(world.server.awaited.count == 0)
    }

    @Test(arguments: [FailingStore.Fault.lostAnswerAndAway, .lostRequestAndAway])
    func aCancellationIsToldOnceWhenTheStoreIsBack(fault: FailingStore.Fault) async throws {
        let (world, store) = try world()
        let package = try await world.start { $0.callbackURL = "https://shop.example/result" }
        store.fail(fault)
        await expectError(.internalError) { try await world.server.cancel(package.token) }
        store.comeBack()
        await world.server.endTimedOutSessions()
        if fault == .lostRequestAndAway { try await world.server.cancel(package.token) }
        await world.server.endTimedOutSessions()
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 1)
        #expect(try await world.server.status(of: package.token) == .cancelled)
    }

    /// The change did not reach the store, and the end is told when it is made.
    @Test func anEndThatWasNotMadeIsToldLater() async throws {
        let (world, store) = try world()
        let package = try await world.start { $0.callbackURL = "https://shop.example/result" }
        store.fail(.lostRequest)
        await expectError(.internalError) { try await world.server.cancel(package.token) }
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.isEmpty)
        try await world.server.cancel(package.token)
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 1)
    }

    @Test func aTimeoutIsToldWhenTheStoreIsBack() async throws {
        let (world, store) = try world()
        let package = try await world.start { $0.callbackURL = "https://shop.example/result" }
        world.time.advance(by: .seconds(900))
        for count in [0, 1, 1] {
            store.fail(count == 0 ? [.unavailable] : [])
            await world.server.endTimedOutSessions()
            await world.server.finishDeliveries()
            #expect(world.callbacks.requests.count == count)
            world.time.advance(by: .seconds(1))
        }
        #expect(try await world.server.status(of: package.token) == .timedOut)
    }

    @Test func aWalletMayTryAgainWhenTheStoreIsBack() async throws {
        let (world, store) = try world()
        let package = try await world.start()
        let wallet = world.wallet(package)
        let proofs = try wallet.proofs([(world.scene.card(), [2])], [[(0, 2)]], for: await wallet.request())
        for fault in [FailingStore.Fault.unavailable, .conflict] {
            store.fail(fault)
            try expectError(.internalError, in: await wallet.post("proofs", proofs))
            #expect(try await world.server.status(of: package.token) == .connected)
        }
        #expect(try await wallet.post("proofs", proofs).json() == ["proofStatus": "VALID"])
    }

    @Test func changesAreTriedAgainAfterAConflict() async throws {
        let (world, store) = try world()
        let package = try await world.start()
        store.fail(.conflict, .conflict)
        #expect(try await world.wallet(package).connect().status == .ok)
        store.fail(.conflict)
        try await world.server.cancel(package.token)
        #expect(try await world.server.status(of: package.token) == .cancelled)
        let other = try await world.start()
        store.fail(.unavailable)
        await expectError(.internalError) { try await world.server.cancel(other.token) }
        #expect(try await world.server.status(of: other.token) == .initialized)
    }

    @Test func theNextSessionOfALostOneIsCancelled() async throws {
        let time = TestTime(ServerScene.now)
        let store = FailingStore(time.sessionClock)
        let world = try ServerWorld {
            $0.time = time
            $0.store = store
            $0.options.allowsUnsignedCallbacks = true
            $0.randomness = ScriptedRandomness(tokens: Self.tokens)
            $0.callbackHandler = { _ in
                .ok((try? RequestorMessage(ServerScene.nameRequest).encoded()) ?? [], type: .json)
            }
        }
        let package = try await world.start { $0.nextSessionURL = "https://shop.example/next" }
        let wallet = world.wallet(package)
        let proofs = try wallet.proofs([(world.scene.card(), [2])], [[(0, 2)]], for: await wallet.request())
        // The claim is kept, and what it was for is not.
        store.fail(.none, .unavailable)
        try expectError(.internalError, in: await wallet.post("proofs", proofs))
        #expect(try await world.server.status(of: Self.tokens[3]) == .cancelled)
        #expect(try await world.server.status(of: package.token) == .connected)
        // The wallet does not wait for the end of the process's own claim.
        #expect(try await ServerSessionResponse(decoding: wallet.post("proofs", proofs).body).nextSession != nil)
        #expect(world.callbacks.requests.count == 2)
    }

    private static let tokens = (0..<8).map { String(repeating: "abcdefgh".map(String.init)[$0], count: 20) }
}
