import CredentialServing
import Foundation
import ServingContracts
import Testing

@Suite struct TypedSessionsTests {
    private struct Transaction: Codable, Hashable {
        var status = "created"
        var count = 0
    }

    private let time = SessionTestTime()
    private let store: MemorySessionStore
    private let sessions: TypedSessions<Transaction>

    init() {
        store = MemorySessionStore(clock: time.clock)
        sessions = TypedSessions(in: store)
    }

    @Test func decodesWhatItEncoded() async throws {
        let key = SessionKey("a")
        try await sessions.insert(Transaction(), key: key, secondaryKeys: [SessionKey("b")], expiry: time.date + 60)
        var found = try #require(try await sessions.session(forSecondaryKey: SessionKey("b")))
        #expect(found.value == Transaction())
        found.value.status = "done"
        found.expiry = time.date + 120
        let swapped = try await sessions.swap(found)
        #expect(swapped.entry.version.number == 2)
        time.advance(by: .seconds(90))
        #expect(try await sessions.session(for: key)?.value.status == "done")
        #expect(try await sessions.session(for: SessionKey("c")) == nil)
    }

    @Test func updatesAgainAfterAConflict() async throws {
        let key = SessionKey("a")
        try await sessions.insert(Transaction(), key: key, expiry: time.date + 60)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { _ = try await sessions.update(key) { $0.value.count += 1 } } }
            try await group.waitForAll()
        }
        let (result, session) = try await sessions.update(key) { session in
            session.value.status = "done"
            return session.value.count
        }
        #expect(result == 64)
        #expect(session.value == Transaction(status: "done", count: 64))
    }

    @Test func givesUpAfterTheAttemptsThatWereAllowed() async throws {
        let key = SessionKey("a")
        try await sessions.insert(Transaction(), key: key, expiry: time.date + 60)
        let store = StubbornStore(store: store)
        await expectStoreError(.tooManyAttempts) { try await store.update(key, attempts: 3) { $0.value = [] } }
        #expect(await store.attempts.count == 3)
    }

    @Test func passesTheErrorOfTheClosureAndChangesNothing() async throws {
        struct Refused: Error {}
        let key = SessionKey("a")
        try await sessions.insert(Transaction(), key: key, expiry: time.date + 60)
        await #expect(throws: Refused.self) { try await sessions.update(key) { _ in throw Refused() } }
        #expect(try await sessions.session(for: key)?.entry.version.number == 1)
    }

    @Test func stopsWhenItsTaskIsCancelled() async throws {
        let key = SessionKey("a")
        try await sessions.insert(Transaction(), key: key, expiry: time.date + 60)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await sessions.update(key) { $0.value.count += 1 }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func refusesValuesOfAnotherType() async throws {
        let key = SessionKey("a")
        try await store.insert(SessionEntry(key: key, value: Array("token".utf8), expiry: time.date + 60))
        let error = await expectStoreError(.invalidValue) { try await sessions.session(for: key) }
        #expect(error?.description.contains("token") == false)
        let unencodable = TypedSessions<Double>(in: store)
        await expectStoreError(.invalidValue) {
            try await unencodable.insert(.nan, key: SessionKey("b"), expiry: time.date + 60)
        }
    }

    @Test func printsNoKeysAndNoValues() {
        let entry = SessionEntry(key: SessionKey("token"), value: Array("secret".utf8), expiry: time.date)
        var dumped = "\(entry) \(entry.key) \(String(reflecting: entry)) \(String(reflecting: entry.key))"
        dump(entry, to: &dumped)
        dump(entry.key, to: &dumped)
        #expect(!dumped.contains("token") && !dumped.contains("secret"))
        #expect(!dumped.contains("116"), "the code of t")
    }

    @Test func escapesTextOfOthersInErrors() {
        let error = SessionStoreError(.unavailable, "ERR\nforged line", path: ["redis"])
        #expect(error.description == "unavailable in redis: ERR\\u{A}forged line")
        #expect(error.inside("store").path == ["store", "redis"])
    }

    @Test func clampsInvalidDates() {
        #expect(SessionClock.milliseconds(Date(timeIntervalSince1970: .nan)) == 0)
        #expect(SessionClock.milliseconds(Date(timeIntervalSince1970: -1)) == 0)
        #expect(SessionClock.milliseconds(.distantFuture) < 1 << 53)
        #expect(SessionClock.milliseconds(Date(timeIntervalSince1970: .infinity)) == 253_402_300_799_000)
        #expect(throws: SessionStoreError.self) { try SessionVersion(generation: 1, number: .max).next() }
    }
}

/// A store on which another writer is always first.
private struct StubbornStore: SessionStore {
    actor Attempts {
        var count = 0
        func add() { count += 1 }
    }

    let store: MemorySessionStore
    let attempts = Attempts()

    var limits: SessionLimits { store.limits }

    func insert(_ entry: SessionEntry) async throws(SessionStoreError) { try await store.insert(entry) }

    func entry(for key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        try await store.entry(for: key)
    }

    func entry(forSecondaryKey key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        try await store.entry(forSecondaryKey: key)
    }

    func swap(_ entry: SessionEntry) async throws(SessionStoreError) -> SessionEntry {
        await attempts.add()
        try await store.swap(entry)
        return try await store.swap(entry)
    }

    func delete(_ key: SessionKey, version: SessionVersion?) async throws(SessionStoreError) -> Bool {
        try await store.delete(key, version: version)
    }

    func changes(of key: SessionKey, after version: SessionVersion?) -> SessionChanges {
        store.changes(of: key, after: version)
    }

    func check() async throws(SessionStoreError) {}
    func run() async {}
    func close() async {}
}
