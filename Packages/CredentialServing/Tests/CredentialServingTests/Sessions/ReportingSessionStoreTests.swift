import CredentialServing
import Crypto
import Foundation
import Synchronization
import Testing

/// Faults of a store are told, answers to what it was asked are not.
@Suite struct ReportingSessionStoreTests {
    /// A store that fails with an error.
    private struct BrokenStore: SessionStore {
        let code: SessionStoreError.Code
        var limits: SessionLimits { .default }
        private var error: SessionStoreError { SessionStoreError(code, "broken") }

        init(_ code: SessionStoreError.Code) { self.code = code }

        func insert(_ entry: SessionEntry) async throws(SessionStoreError) { throw error }
        func entry(for key: SessionKey) async throws(SessionStoreError) -> SessionEntry? { throw error }
        func entry(forSecondaryKey key: SessionKey) async throws(SessionStoreError) -> SessionEntry? { throw error }
        func swap(_ entry: consuming SessionEntry) async throws(SessionStoreError) -> SessionEntry { throw error }
        func delete(_ key: SessionKey, version: SessionVersion?) async throws(SessionStoreError) -> Bool { throw error }
        func changes(of key: SessionKey, after version: SessionVersion?) -> SessionChanges {
            MemorySessionStore().changes(of: key, after: version)
        }
        func check() async throws(SessionStoreError) { throw error }
        func run() async {}
        func close() async {}
    }

    private static let entry = SessionEntry(key: SessionKey("token"), value: [1], expiry: Date() + 300)

    private func reports(of code: SessionStoreError.Code) async -> [SessionStoreError.Code] {
        let told = Mutex<[SessionStoreError.Code]>([])
        let store = ReportingSessionStore(BrokenStore(code)) { fault in told.withLock { $0.append(fault.code) } }
        await #expect(throws: SessionStoreError.self) { try await store.insert(Self.entry) }
        await #expect(throws: SessionStoreError.self) { try await store.entry(for: Self.entry.key) }
        await #expect(throws: SessionStoreError.self) { try await store.entry(forSecondaryKey: Self.entry.key) }
        await #expect(throws: SessionStoreError.self) { try await store.swap(Self.entry) }
        await #expect(throws: SessionStoreError.self) { try await store.delete(Self.entry.key) }
        await #expect(throws: SessionStoreError.self) { try await store.check() }
        return told.withLock { $0 }
    }

    @Test(arguments: [
        SessionStoreError.Code.full, .unavailable, .outcomeUnknown, .notAuthorized, .invalidConfiguration, .damaged,
    ])
    func tellsOfFaults(code: SessionStoreError.Code) async {
        #expect(await reports(of: code) == Array(repeating: code, count: 5))
    }

    @Test(arguments: [SessionStoreError.Code.conflict, .notFound, .keyExists, .tooLarge, .cancelled, .closed])
    func keepsQuietOfAnswers(code: SessionStoreError.Code) async {
        #expect(await reports(of: code).isEmpty)
    }

    @Test func isSharedAsTheStoreBelow() throws {
        let keyring = try SessionKeyring(sealing: SymmetricKey(size: .bits256))
        for store in [MemorySessionStore(), BrokenStore(.full)] as [any SessionStore] {
            let isShared = store is BrokenStore
            #expect(store.isShared == isShared)
            #expect(ReportingSessionStore(store) { _ in }.isShared == isShared)
            #expect(EncryptedSessionStore(store, keyring: keyring, place: "test").isShared == isShared)
        }
    }

    @Test func passesEverythingOn() async throws {
        let plain = MemorySessionStore()
        let store = ReportingSessionStore(plain) { fault in Issue.record("\(fault)") }
        #expect(store.limits == plain.limits)
        try await store.insert(Self.entry)
        var entry = try #require(try await store.entry(for: Self.entry.key))
        entry.value = [2]
        #expect(try await store.swap(entry).value == [2])
        for try await state in store.changes(of: Self.entry.key) {
            #expect(state.value == [2])
            break
        }
        #expect(try await store.delete(Self.entry.key))
        try await store.check()
        await store.close()
        await #expect(throws: SessionStoreError.self) { try await store.entry(for: Self.entry.key) }
    }
}
