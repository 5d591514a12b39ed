import CredentialWallet
import CryptoCore
import Foundation
import Testing

#if SQLite
import CredentialWalletSQLite
import GRDB
#endif

/// Damaged values of a store: in no other value's way, reported, and removed like others.
@Suite struct DamageTests {
    private static let now = TextScene.now

    /// A storage in memory some of whose values do not open.
    private actor DamagedStorage: CredentialStorage {
        private let base = InMemoryCredentialStorage()
        private var damaged: Set<StoragePlace> = []

        func damage(_ place: StoragePlace) { damaged.insert(place) }

        func entry(at place: StoragePlace) async throws(CredentialStoreError) -> StorageEntry? {
            guard let entry = await base.entry(at: place) else { return nil }
            return try record(entry).entry()
        }

        func entries(in collection: StorageCollection) async throws(CredentialStoreError) -> [StorageEntry] {
            var entries: [StorageEntry] = []
            for record in await records(in: collection) { entries.append(try record.entry()) }
            return entries
        }

        func records(in collection: StorageCollection) async -> [StorageRecord] {
            await base.entries(in: collection).map { record($0) }
        }

        func write(_ changes: [StorageChange]) async throws(CredentialStoreError) {
            try await base.write(changes)
        }

        private func record(_ entry: StorageEntry) -> StorageRecord {
            guard damaged.contains(entry.place) else { return StorageRecord(entry) }
            let error = CredentialStoreError(.storageDamaged, "not what was written")
            return StorageRecord(entry.place, version: entry.version, .failure(error))
        }
    }

    /// A store with a credential of some copies, of which the first is damaged.
    private func storeWithADamagedCopy(
        copies count: Int = 3,
        refillThreshold: Int = 0
    ) async throws -> (store: CredentialStore<TextFormat>, added: WalletCredential, copies: [CopyParts]) {
        let storage = DamagedStorage()
        let store = TextScene.store(storage)
        let copies = TextScene.copies(count)
        let added = try await store.add(copies, rotation: .once, refillThreshold: refillThreshold, at: Self.now)
        let first = try #require(await storage.records(in: .copies).first)
        await storage.damage(first.place)
        return (store, added, copies)
    }

    @Test func aDamagedCopyIsReportedBesideTheOthers() async throws {
        let (store, added, copies) = try await storeWithADamagedCopy()
        let contents = try await store.contents()
        #expect(contents.credentials == [added])
        #expect(contents.unreadable.map(\.id) == ["\(added.id)/1"])
        #expect(contents.unreadable.map(\.error.code) == [.storageDamaged])
        let handles = try await store.keyHandles()
        #expect(Set(handles.handles) == Set(copies.dropFirst().map(\.keyHandle)))
        #expect(handles.unreadable.map(\.id) == ["\(added.id)/1"])
        #expect(try await store.present() != nil)
        #expect(try await store.copyToShow(of: added.id) != nil)
    }

    @Test func aCredentialWithADamagedCopyIsRemoved() async throws {
        let (store, added, copies) = try await storeWithADamagedCopy()
        let removed = try #require(try await store.remove(added.id))
        #expect(Set(removed.handles) == Set(copies.dropFirst().map(\.keyHandle)))
        #expect(removed.unreadable.map(\.id) == ["\(added.id)/1"])
        #expect(try await store.contents().unreadable.isEmpty)
        #expect(try await store.keyHandles().handles.isEmpty)
    }

    @Test func aRefillTakesTheDamagedCopyAway() async throws {
        let (store, added, copies) = try await storeWithADamagedCopy(copies: 2, refillThreshold: 1)
        // Of two copies, one can be presented.
        #expect(try await store.credentialsToRefill(at: Self.now).map(\.id) == [added.id])
        let refilled = try await store.add(TextScene.copies(1), to: added.id, at: Self.now)
        #expect(refilled.credential.copies.map(\.number) == [2, 3])
        #expect(refilled.removedKeyHandles.isEmpty)
        #expect(refilled.removedUnreadableCopies.map(\.id) == ["\(added.id)/1"])
        #expect(try await store.credentialsToRefill(at: Self.now).isEmpty)
        #expect(try await store.contents().unreadable.isEmpty)
        #expect(try await store.keyHandles().handles.contains(copies[1].keyHandle))
    }

    @Test func oneCopyIsRemoved() async throws {
        let (store, added, copies) = try await storeWithADamagedCopy()
        #expect(try await store.removeCopy("\(added.id)/1")?.unreadable.count == 1)
        #expect(try await store.removeCopy("\(added.id)/1") == nil)
        #expect(try await store.credentials().first?.copies.map(\.number) == [2, 3])
        #expect(try await store.contents().unreadable.isEmpty)
        #expect(try await store.removeCopy("\(added.id)/2")?.handles == [copies[1].keyHandle])
        for id in ["\(added.id)/9", added.id, "", "x/1"] { #expect(try await store.removeCopy(id) == nil, "\(id)") }
    }

    @Test func aDamagedCredentialIsReportedAndRemovedWithItsCopies() async throws {
        let storage = DamagedStorage()
        let store = TextScene.store(storage)
        let copies = TextScene.copies(2)
        let damaged = try await store.add(copies, rotation: .once, at: Self.now)
        let place = try #require(await storage.records(in: .credentials).first?.place)
        let other = try await store.add(TextScene.copies(1), rotation: .once, at: Self.now)
        await storage.damage(place)
        await expect(.storageDamaged) { _ = try await store.credentials() }
        let contents = try await store.contents()
        #expect(contents.credentials.map(\.id) == [other.id])
        #expect(contents.unreadable.map(\.id) == [damaged.id])
        #expect(try await store.present() != nil)
        #expect(try await store.credentialsToRefill(at: Self.now).map(\.id) == [other.id])
        let removed = try #require(try await store.remove(damaged.id))
        #expect(Set(removed.handles) == Set(copies.map(\.keyHandle)))
        #expect(try await store.credentials().map(\.id) == [other.id])
        #expect(try await store.contents().unreadable.isEmpty)
    }

    @Test func aMissingCopyIsReportedAndInNoOneElsesWay() async throws {
        let storage = InMemoryCredentialStorage()
        let store = TextScene.store(storage)
        let added = try await store.add(TextScene.copies(2), rotation: .once, at: Self.now)
        let first = try #require(await storage.entries(in: .copies).first)
        try await storage.write([.remove(first.place, version: first.version)])
        #expect(try await store.contents().unreadable.map(\.id) == ["\(added.id)/1"])
        #expect(try await store.present() != nil)
        let refilled = try await store.add(TextScene.copies(1), to: added.id, at: Self.now)
        #expect(refilled.credential.copies.map(\.number) == [3])
        #expect(try await store.contents().unreadable.isEmpty)
    }

    /// A copy of a later version of the app is not damaged, and stays.
    @Test func aCopyOfALaterFormIsKept() async throws {
        let storage = InMemoryCredentialStorage()
        let store = TextScene.store(storage)
        let added = try await store.add(TextScene.copies(1), rotation: .once, at: Self.now)
        let first = try #require(await storage.entries(in: .copies).first)
        let later = SecretBytes([2] + [UInt8](repeating: 0, count: 40))
        try await storage.write([.replace(first.place, later, version: first.version)])
        #expect(try await store.contents().unreadable.map(\.error.code) == [.unsupportedVersion])
        let refilled = try await store.add(TextScene.copies(1), to: added.id, at: Self.now)
        #expect(refilled.credential.copies.map(\.number) == [1, 2])
        #expect(try await store.keyHandles().unreadable.map(\.id) == ["\(added.id)/1"])
    }
}
