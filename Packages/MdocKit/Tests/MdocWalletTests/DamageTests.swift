import CryptoCore
import Foundation
import MdocFiles
import MdocKit
import MdocWallet
import MdocWalletContracts
import Testing

#if SQLite
import GRDB
import MdocWalletSQLite
#endif

/// Damaged values of a store: in no other value's way, reported, and removed like others.
@Suite struct DamageTests {
    private static let now = WalletScene.now

    /// A storage in memory some of whose values do not open.
    private actor DamagedStorage: MdocStorage {
        private let base = InMemoryMdocStorage()
        private var damaged: Set<MdocStoragePlace> = []

        func damage(_ place: MdocStoragePlace) { damaged.insert(place) }

        func entry(at place: MdocStoragePlace) async throws(MdocError) -> MdocStorageEntry? {
            guard let entry = await base.entry(at: place) else { return nil }
            return try record(entry).entry()
        }

        func entries(in collection: MdocStorageCollection) async throws(MdocError) -> [MdocStorageEntry] {
            var entries: [MdocStorageEntry] = []
            for record in await records(in: collection) { entries.append(try record.entry()) }
            return entries
        }

        func records(in collection: MdocStorageCollection) async -> [MdocStorageRecord] {
            await base.entries(in: collection).map { record($0) }
        }

        func write(_ changes: [MdocStorageChange]) async throws(MdocError) {
            try await base.write(changes)
        }

        private func record(_ entry: MdocStorageEntry) -> MdocStorageRecord {
            guard damaged.contains(entry.place) else { return MdocStorageRecord(entry) }
            let error = MdocError(.storageDamaged, "not what was written")
            return MdocStorageRecord(entry.place, version: entry.version, .failure(error))
        }
    }

    /// A store with a credential of some copies, of which the first is damaged.
    private func storeWithADamagedCopy(
        _ scene: WalletScene,
        copies count: Int = 3,
        refillThreshold: Int = 0
    ) async throws -> (store: MdocCredentialStore, added: WalletCredential, copies: [NewCopy]) {
        let storage = DamagedStorage()
        let store = MdocCredentialStore(storage)
        let copies = try await scene.copies(count)
        let added = try await store.add(copies, rotation: .once, refillThreshold: refillThreshold, at: Self.now)
        let first = try #require(await storage.records(in: .copies).first)
        await storage.damage(first.place)
        return (store, added, copies)
    }

    @Test func aDamagedCopyIsReportedBesideTheOthers() async throws {
        let scene = try await WalletScene()
        let (store, added, copies) = try await storeWithADamagedCopy(scene)
        let contents = try await store.contents()
        #expect(contents.credentials == [added])
        #expect(contents.unreadable.map(\.id) == ["\(added.id)/1"])
        #expect(contents.unreadable.map(\.error.code) == [.storageDamaged])
        let handles = try await store.keyHandles()
        #expect(Set(handles.handles) == Set(copies.dropFirst().map(\.keyHandle)))
        #expect(handles.unreadable.map(\.id) == ["\(added.id)/1"])
        #expect(try await scene.present(from: store) != nil)
        #expect(try await store.document(of: added.id) != nil)
    }

    @Test func aCredentialWithADamagedCopyIsRemoved() async throws {
        let scene = try await WalletScene()
        let (store, added, copies) = try await storeWithADamagedCopy(scene)
        let removed = try #require(try await store.remove(added.id))
        #expect(Set(removed.handles) == Set(copies.dropFirst().map(\.keyHandle)))
        #expect(removed.unreadable.map(\.id) == ["\(added.id)/1"])
        #expect(try await store.contents().unreadable.isEmpty)
        #expect(try await store.keyHandles().handles.isEmpty)
    }

    @Test func aRefillTakesTheDamagedCopyAway() async throws {
        let scene = try await WalletScene()
        let (store, added, copies) = try await storeWithADamagedCopy(scene, copies: 2, refillThreshold: 1)
        // Of two copies, one can be presented.
        #expect(try await store.credentialsToRefill(at: Self.now).map(\.id) == [added.id])
        let refilled = try await store.add(try await scene.copies(1), to: added.id, at: Self.now)
        #expect(refilled.credential.copies.map(\.number) == [2, 3])
        #expect(refilled.removedKeyHandles.isEmpty)
        #expect(refilled.removedUnreadableCopies.map(\.id) == ["\(added.id)/1"])
        #expect(try await store.credentialsToRefill(at: Self.now).isEmpty)
        #expect(try await store.contents().unreadable.isEmpty)
        #expect(try await store.keyHandles().handles.contains(copies[1].keyHandle))
    }

    @Test func oneCopyIsRemoved() async throws {
        let scene = try await WalletScene()
        let (store, added, copies) = try await storeWithADamagedCopy(scene)
        #expect(try await store.removeCopy("\(added.id)/1")?.unreadable.count == 1)
        #expect(try await store.removeCopy("\(added.id)/1") == nil)
        #expect(try await store.credentials().first?.copies.map(\.number) == [2, 3])
        #expect(try await store.contents().unreadable.isEmpty)
        #expect(try await store.removeCopy("\(added.id)/2")?.handles == [copies[1].keyHandle])
        for id in ["\(added.id)/9", added.id, "", "x/1"] { #expect(try await store.removeCopy(id) == nil, "\(id)") }
    }

    @Test func aDamagedCredentialIsReportedAndRemovedWithItsCopies() async throws {
        let scene = try await WalletScene()
        let storage = DamagedStorage()
        let store = MdocCredentialStore(storage)
        let copies = try await scene.copies(2)
        let damaged = try await store.add(copies, at: Self.now)
        let place = try #require(await storage.records(in: .credentials).first?.place)
        let other = try await store.add(try await scene.copies(1), rotation: .once, at: Self.now)
        await storage.damage(place)
        await expect(.storageDamaged) { _ = try await store.credentials() }
        let contents = try await store.contents()
        #expect(contents.credentials.map(\.id) == [other.id])
        #expect(contents.unreadable.map(\.id) == [damaged.id])
        #expect(try await scene.present(from: store) != nil)
        #expect(try await store.credentialsToRefill(at: Self.now).map(\.id) == [other.id])
        let removed = try #require(try await store.remove(damaged.id))
        #expect(Set(removed.handles) == Set(copies.map(\.keyHandle)))
        #expect(try await store.credentials().map(\.id) == [other.id])
        #expect(try await store.contents().unreadable.isEmpty)
    }

    @Test func aMissingCopyIsReportedAndInNoOneElsesWay() async throws {
        let scene = try await WalletScene()
        let storage = InMemoryMdocStorage()
        let store = MdocCredentialStore(storage)
        let added = try await store.add(try await scene.copies(2), rotation: .once, at: Self.now)
        let first = try #require(await storage.entries(in: .copies).first)
        try await storage.write([.remove(first.place, version: first.version)])
        #expect(try await store.contents().unreadable.map(\.id) == ["\(added.id)/1"])
        #expect(try await scene.present(from: store) != nil)
        let refilled = try await store.add(try await scene.copies(1), to: added.id, at: Self.now)
        #expect(refilled.credential.copies.map(\.number) == [3])
        #expect(try await store.contents().unreadable.isEmpty)
    }

    /// A copy of a later version of the app is not damaged, and stays.
    @Test func aCopyOfALaterFormIsKept() async throws {
        let scene = try await WalletScene()
        let storage = InMemoryMdocStorage()
        let store = MdocCredentialStore(storage)
        let added = try await store.add(try await scene.copies(1), at: Self.now)
        let first = try #require(await storage.entries(in: .copies).first)
        let later = SecretBytes([2] + [UInt8](repeating: 0, count: 40))
        try await storage.write([.replace(first.place, later, version: first.version)])
        #expect(try await store.contents().unreadable.map(\.error.code) == [.unsupportedVersion])
        let refilled = try await store.add(try await scene.copies(1), to: added.id, at: Self.now)
        #expect(refilled.credential.copies.map(\.number) == [1, 2])
        #expect(try await store.keyHandles().unreadable.map(\.id) == ["\(added.id)/1"])
    }

    // MARK: Storages

    private static let places = (1...3).map { MdocStoragePlace(.copies, key: [UInt8($0)]) }

    /// Expects that the second of three values is damaged, and that it can be removed.
    private func expectTheSecondDamaged(in storage: any MdocStorage) async throws {
        let records = try await storage.records(in: .copies)
        #expect(records.map(\.place) == Self.places)
        #expect(records.map { (try? $0.value.get()) != nil } == [true, false, true])
        let damaged = try #require(records.dropFirst().first)
        await expect(.storageDamaged) { _ = try damaged.value.get() }
        await expect(.storageDamaged) { _ = try await storage.entries(in: .copies) }
        await expect(.storageDamaged) { _ = try await storage.entry(at: Self.places[1]) }
        #expect(try await storage.entry(at: Self.places[2])?.value == SecretBytes([3]))
        try await storage.write([.remove(damaged.place, version: damaged.version)])
        #expect(try await storage.entries(in: .copies).map(\.value) == [SecretBytes([1]), SecretBytes([3])])
    }

    private func fill(_ storage: any MdocStorage) async throws {
        try await storage.write(Self.places.map { .insert($0, SecretBytes([$0.key[0]])) })
    }

    #if SQLite
    /// An IRMA wallet's file has the same number, and the same name of its table.
    @Test func aFileOfAnotherWalletIsRefused() async throws {
        try await withFolder { folder in
            try await DatabaseQueue(path: folder + "/w").write { db in
                try db.execute(sql: "CREATE TABLE wallet (collection, key, value); PRAGMA user_version = 1")
            }
            let error = #expect(throws: MdocError.self) {
                try SQLiteMdocStorage(path: folder + "/w", key: StorageKind.key)
            }
            #expect(error?.code == .storageDamaged)
        }
    }

    @Test(arguments: [false, true])
    func aDamagedRowIsInNoOneElsesWay(isChecked: Bool) async throws {
        try await withFolder { folder in
            let sqlite = try SQLiteMdocStorage(path: folder + "/w", key: StorageKind.key)
            let storage: any MdocStorage = isChecked ? RollbackCheckedMdocStorage(sqlite, counter: NoCounter()) : sqlite
            try await fill(storage)
            let queue = try DatabaseQueue(path: folder + "/w")
            try await queue.write { db in
                try db.execute(sql: "UPDATE wallet SET value = zeroblob(29) WHERE collection = 2 AND key = x'02'")
            }
            try await expectTheSecondDamaged(in: storage)
        }
    }

    private struct NoCounter: MonotonicCounter {
        func value() -> UInt64 { 0 }
        func raise(to value: UInt64) {}
    }
    #endif

    /// A file whose check holds, and one of whose values does not open.
    @Test func aDamagedValueOfAFileIsInNoOneElsesWay() async throws {
        try await withFolder { folder in
            let storage = try FileMdocStorage(path: folder + "/w", key: StorageKind.key)
            try await fill(storage)
            let key = try HKDF.deriveKey(
                hash: .sha256,
                inputKeyMaterial: StorageKind.key,
                info: Array("mdoc wallet file 1".utf8),
                length: 32
            )
            let file = try ProtectedFile(path: folder + "/w", format: "mdoc-wl1", key: key)
            try file.update { (content) throws(MdocError) in
                var content = content ?? []
                content[content.count / 2] ^= 1
                return content
            }
            try await expectTheSecondDamaged(in: storage)
        }
    }

    @Test func aFileThatIsDamagedAnywhereIsRepaired() async throws {
        try await withFolder { folder in
            let path = folder + "/w"
            let storage = try FileMdocStorage(path: path, key: StorageKind.key)
            #expect(try storage.repair().isEmpty)
            try await fill(storage)
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(try storage.repair().isEmpty)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == whole)
            for index in whole.indices {
                var changed = whole
                changed[index] ^= 0x40
                try changed.write(to: URL(fileURLWithPath: path))
                await expect(.storageDamaged) { _ = try storage.records(in: .copies) }
                let lost = try storage.repair()
                let values = try storage.entries(in: .copies)
                // Of the head nothing is needed; elsewhere at most one value is lost.
                #expect(values.count == (index < 41 ? 3 : 2), "byte \(index)")
                for entry in values { #expect(entry.value == SecretBytes([entry.place.key[0]])) }
                #expect(values.allSatisfy { !lost.contains($0.place) })
                try await storage.write([.insert(MdocStoragePlace(.credentials, key: [7]), SecretBytes([7]))])
            }
        }
    }

    @Test func aRepairNamesTheLostValue() async throws {
        try await withFolder { folder in
            let path = folder + "/w"
            let storage = try FileMdocStorage(path: path, key: StorageKind.key)
            try await fill(storage)
            var changed = try Data(contentsOf: URL(fileURLWithPath: path))
            changed[changed.count - 1] ^= 1
            try changed.write(to: URL(fileURLWithPath: path))
            #expect(try storage.repair() == [Self.places[2]])
            #expect(try storage.entries(in: .copies).map(\.place) == Array(Self.places.prefix(2)))
        }
    }

    @Test func aRepairWithAnotherKeyLosesNothing() async throws {
        try await withFolder { folder in
            let path = folder + "/w"
            let storage = try FileMdocStorage(path: path, key: StorageKind.key)
            try await fill(storage)
            let other = try FileMdocStorage(path: path, key: SecretBytes([UInt8](repeating: 0x43, count: 32)))
            await expect(.storageDamaged) { try other.repair() }
            #expect(try storage.entries(in: .copies).count == 3)
            try Data().write(to: URL(fileURLWithPath: path))
            await expect(.storageDamaged) { try storage.repair() }
        }
    }

    /// Bytes that look like one value inside another take no time in the square of their length.
    @Test func aRepairIsBounded() async throws {
        try await withFolder { folder in
            let path = folder + "/w"
            let storage = try FileMdocStorage(path: path, key: StorageKind.key)
            let count = 1 << 16
            var bytes = [UInt8](repeating: 0, count: 40)
            for index in 0..<count {
                let size = UInt32(count - index)
                bytes += [0x84, 2, 0x41, 1, 1, 0x5a] + (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            await expect(.storageDamaged) { try storage.repair() }
        }
    }
}
