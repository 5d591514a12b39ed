import CryptoCore
import Foundation
import MdocKit
import MdocWallet
import MdocWalletContracts
import Testing

#if SQLite
import MdocWalletSQLite
#endif

/// A storage that was put back to an earlier state.
@Suite struct RollbackTests {
    /// A counter of the app's, which can be out of order.
    private actor Counter: MonotonicCounter {
        private(set) var count: UInt64
        private var isBroken = false

        init(_ count: UInt64 = 0) { self.count = count }

        func value() -> UInt64 { count }

        func raise(to value: UInt64) throws(MdocError) {
            if isBroken { throw MdocError(.storageFailed, "the keychain is locked") }
            count = max(count, value)
        }

        func setBroken(_ isBroken: Bool) { self.isBroken = isBroken }
    }

    private static let now = WalletScene.now

    /// Adds a credential to a storage in a folder, presents its only copy, and puts the file back to the state before.
    private func putBack(
        _ kind: StorageKind,
        in folder: String,
        _ scene: WalletScene,
        counter: Counter?
    ) async throws -> MdocCredentialStore {
        let path = kind.path(in: folder)
        try await use(kind, in: folder, counter) { store in
            try await store.add(try await scene.copies(1), rotation: .once, at: Self.now)
        }
        try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
        try await use(kind, in: folder, counter) { store in
            let responses = [try await scene.present(from: store), try await scene.present(from: store)]
            #expect(responses.map { $0 == nil } == [false, true])
        }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".copy", toPath: path)
        return store(try kind.open(in: folder), counter)
    }

    private func store(_ storage: any MdocStorage, _ counter: Counter?) -> MdocCredentialStore {
        guard let counter else { return MdocCredentialStore(storage) }
        return MdocCredentialStore(RollbackCheckedMdocStorage(storage, counter: counter))
    }

    /// Opens a store, and closes its file after the use.
    private func use(
        _ kind: StorageKind,
        in folder: String,
        _ counter: Counter?,
        _ body: (MdocCredentialStore) async throws -> Void
    ) async throws {
        let storage = try kind.open(in: folder)
        try await body(store(storage, counter))
        #if SQLite
        (storage as? SQLiteMdocStorage)?.close()
        #endif
    }

    @Test(arguments: StorageKind.durable)
    func aStorageAloneTakesAnEarlierState(kind: StorageKind) async throws {
        try await withFolder { folder in
            let scene = try await WalletScene()
            let store = try await putBack(kind, in: folder, scene, counter: nil)
            #expect(try await scene.present(from: store) != nil)
        }
    }

    @Test(arguments: StorageKind.durable)
    func anEarlierStateIsRefused(kind: StorageKind) async throws {
        try await withFolder { folder in
            let scene = try await WalletScene()
            let store = try await putBack(kind, in: folder, scene, counter: Counter())
            await expect(.storageRolledBack) { _ = try await store.credentials() }
            await expect(.storageRolledBack) { _ = try await scene.present(from: store) }
            let copies = try await scene.copies(1)
            await expect(.storageRolledBack) { try await store.add(copies, at: Self.now) }
        }
    }

    @Test func aClaimOnAnEarlierStateIsRefused() async throws {
        let scene = try await WalletScene()
        let (storage, counter) = (InMemoryMdocStorage(), Counter())
        let store = store(storage, counter)
        try await store.add(try await scene.copies(1), rotation: .once, at: Self.now)
        let decision = try await store.match(try scene.request(), at: Self.now).fullConsent()
        // The counter is ahead: the storage was put back after the match.
        try await counter.raise(to: 2)
        await expect(.storageRolledBack) { _ = try await store.claim(decision, at: Self.now) }
    }

    @Test func aLostStorageIsRefused() async throws {
        let store = store(InMemoryMdocStorage(), Counter(1))
        await expect(.storageRolledBack) { _ = try await store.credentials() }
    }

    @Test func aCounterThatFellBehindCatchesUp() async throws {
        let (storage, counter) = (InMemoryMdocStorage(), Counter())
        let store = store(storage, counter)
        let scene = try await WalletScene()
        try await store.add(try await scene.copies(1), at: Self.now)
        await counter.setBroken(true)
        let copies = try await scene.copies(1)
        await expect(.storageFailed) { try await store.add(copies, at: Self.now) }
        #expect(await counter.count == 1)
        #expect(try await store.credentials().count == 2)
        await counter.setBroken(false)
        try await store.add(try await scene.copies(1), at: Self.now)
        #expect(await counter.count == 3)
    }

    @Test func takesAStorageWithContentFromBefore() async throws {
        let storage = InMemoryMdocStorage()
        let scene = try await WalletScene()
        let added = try await MdocCredentialStore(storage).add(try await scene.copies(1), at: Self.now)
        let counter = Counter()
        let store = store(storage, counter)
        #expect(try await store.credentials() == [added])
        _ = try await scene.present(from: store)
        #expect(await counter.count == 1)
    }

    @Test(arguments: MdocStorageContract.promises)
    func keepsThePromisesOfAStorage(_ promise: MdocStorageContract.Promise) async throws {
        let counter = Counter()
        try await promise.check(RollbackCheckedMdocStorage(InMemoryMdocStorage(), counter: counter))
        #expect(await counter.count > 0)
    }

    @Test(arguments: StorageKind.allCases)
    func writesOfManyTasksAllCount(kind: StorageKind) async throws {
        try await kind.withStorage { storage in
            let counter = Counter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<16 as Range<UInt8> {
                    group.addTask {
                        let place = MdocStoragePlace(.copies, key: [number])
                        try await RollbackCheckedMdocStorage(storage, counter: counter)
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
