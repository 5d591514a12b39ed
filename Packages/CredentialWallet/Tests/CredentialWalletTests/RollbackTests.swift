import CredentialWallet
import CredentialWalletContracts
import CryptoCore
import Foundation
import Testing

#if SQLite
import CredentialWalletSQLite
#endif

/// A storage that was put back to an earlier state.
@Suite struct RollbackTests {
    /// A counter of the app's, which can be out of order.
    private actor Counter: MonotonicCounter {
        private(set) var count: UInt64
        private var isBroken = false

        init(_ count: UInt64 = 0) { self.count = count }

        func value() -> UInt64 { count }

        func raise(to value: UInt64) throws(CredentialStoreError) {
            if isBroken { throw CredentialStoreError(.storageFailed, "the keychain is locked") }
            count = max(count, value)
        }

        func setBroken(_ isBroken: Bool) { self.isBroken = isBroken }
    }

    private static let now = TextScene.now

    /// Adds a credential to a storage in a folder, presents its only copy, and puts the file back to the state before.
    private func putBack(
        _ kind: StorageKind,
        in folder: String,
        counter: Counter?
    ) async throws -> CredentialStore<TextFormat> {
        let path = kind.path(in: folder)
        try await use(kind, in: folder, counter) { store in
            try await store.add(TextScene.copies(1), rotation: .once, at: Self.now)
        }
        try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
        try await use(kind, in: folder, counter) { store in
            let responses = [try await store.present(), try await store.present()]
            #expect(responses.map { $0 == nil } == [false, true])
        }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".copy", toPath: path)
        return store(try kind.open(in: folder), counter)
    }

    private func store(_ storage: any CredentialStorage, _ counter: Counter?) -> CredentialStore<TextFormat> {
        guard let counter else { return TextScene.store(storage) }
        return TextScene.store(RollbackCheckedCredentialStorage(storage, counter: counter))
    }

    /// Opens a store, and closes its file after the use.
    private func use(
        _ kind: StorageKind,
        in folder: String,
        _ counter: Counter?,
        _ body: (CredentialStore<TextFormat>) async throws -> Void
    ) async throws {
        let storage = try kind.open(in: folder)
        try await body(store(storage, counter))
        #if SQLite
        (storage as? SQLiteCredentialStorage)?.close()
        #endif
    }

    @Test(arguments: StorageKind.durable)
    func aStorageAloneTakesAnEarlierState(kind: StorageKind) async throws {
        try await withFolder { folder in
            let store = try await putBack(kind, in: folder, counter: nil)
            #expect(try await store.present() != nil)
        }
    }

    @Test(arguments: StorageKind.durable)
    func anEarlierStateIsRefused(kind: StorageKind) async throws {
        try await withFolder { folder in
            let store = try await putBack(kind, in: folder, counter: Counter())
            await expect(.storageRolledBack) { _ = try await store.credentials() }
            await expect(.storageRolledBack) { _ = try await store.present() }
            let copies = TextScene.copies(1)
            await expect(.storageRolledBack) { try await store.add(copies, rotation: .once, at: Self.now) }
        }
    }

    @Test func aClaimOnAnEarlierStateIsRefused() async throws {
        let (storage, counter) = (InMemoryCredentialStorage(), Counter())
        let store = store(storage, counter)
        try await store.add(TextScene.copies(1), rotation: .once, at: Self.now)
        let copy = try #require(try await store.copiesToPresent(at: Self.now).copies.first)
        // The counter is ahead: the storage was put back after the offer.
        try await counter.raise(to: 2)
        await expect(.storageRolledBack) { _ = try await store.claim([copy.id], at: Self.now) }
    }

    @Test func aLostStorageIsRefused() async throws {
        let store = store(InMemoryCredentialStorage(), Counter(1))
        await expect(.storageRolledBack) { _ = try await store.credentials() }
    }

    @Test func aCounterThatFellBehindCatchesUp() async throws {
        let (storage, counter) = (InMemoryCredentialStorage(), Counter())
        let store = store(storage, counter)
        try await store.add(TextScene.copies(1), rotation: .once, at: Self.now)
        await counter.setBroken(true)
        let copies = TextScene.copies(1)
        await expect(.storageFailed) { try await store.add(copies, rotation: .once, at: Self.now) }
        #expect(await counter.count == 1)
        #expect(try await store.credentials().count == 2)
        await counter.setBroken(false)
        try await store.add(TextScene.copies(1), rotation: .once, at: Self.now)
        #expect(await counter.count == 3)
    }

    @Test func takesAStorageWithContentFromBefore() async throws {
        let storage = InMemoryCredentialStorage()
        let added = try await TextScene.store(storage).add(TextScene.copies(1), rotation: .once, at: Self.now)
        let counter = Counter()
        let store = store(storage, counter)
        #expect(try await store.credentials() == [added])
        _ = try await store.present()
        #expect(await counter.count == 1)
    }

    @Test(arguments: CredentialStorageContract.promises)
    func keepsThePromisesOfAStorage(_ promise: CredentialStorageContract.Promise) async throws {
        let counter = Counter()
        try await promise.check(RollbackCheckedCredentialStorage(InMemoryCredentialStorage(), counter: counter))
        #expect(await counter.count > 0)
    }

    @Test(arguments: StorageKind.allCases)
    func writesOfManyTasksAllCount(kind: StorageKind) async throws {
        try await kind.withStorage { storage in
            let counter = Counter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<16 as Range<UInt8> {
                    group.addTask {
                        let place = StoragePlace(.copies, key: [number])
                        try await RollbackCheckedCredentialStorage(storage, counter: counter)
                            .write([.insert(place, SecretBytes([number]))])
                    }
                }
                try await group.waitForAll()
            }
            #expect(await counter.count == 16)
            #expect(try await storage.entries(in: .copies).count == 16)
        }
    }
}
