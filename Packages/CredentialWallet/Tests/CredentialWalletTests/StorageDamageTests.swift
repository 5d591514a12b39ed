import CredentialWallet
import CryptoCore
import Foundation
import ProtectedFiles
import Testing

#if SQLite
import CredentialWalletSQLite
import GRDB
#endif

/// Damaged values of a storage: in no other value's way, reported, and removed like others.
@Suite struct StorageDamageTests {
    private static let places = (1...3).map { StoragePlace(.copies, key: [UInt8($0)]) }

    /// Expects that the second of three values is damaged, and that it can be removed.
    private func expectTheSecondDamaged(in storage: any CredentialStorage) async throws {
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

    private func fill(_ storage: any CredentialStorage) async throws {
        try await storage.write(Self.places.map { .insert($0, SecretBytes([$0.key[0]])) })
    }

    #if SQLite
    /// The file has the same number, and the same name of its table.
    @Test func aFileOfAnotherWalletIsRefused() async throws {
        try await withFolder { folder in
            try await DatabaseQueue(path: folder + "/w").write { db in
                try db.execute(sql: "CREATE TABLE wallet (collection, key, value); PRAGMA user_version = 1")
            }
            let error = #expect(throws: CredentialStoreError.self) {
                try SQLiteCredentialStorage(path: folder + "/w", key: StorageKind.key)
            }
            #expect(error?.code == .storageDamaged)
        }
    }

    @Test(arguments: [false, true])
    func aDamagedRowIsInNoOneElsesWay(isChecked: Bool) async throws {
        try await withFolder { folder in
            let sqlite = try SQLiteCredentialStorage(path: folder + "/w", key: StorageKind.key)
            let storage: any CredentialStorage =
                isChecked ? RollbackCheckedCredentialStorage(sqlite, counter: NoCounter()) : sqlite
            try await fill(storage)
            let queue = try DatabaseQueue(path: folder + "/w")
            try await queue.write { db in
                try db.execute(sql: "UPDATE wallet SET value = zeroblob(29) WHERE collection = 202 AND key = x'02'")
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
            let storage = try FileCredentialStorage(path: folder + "/w", key: StorageKind.key)
            try await fill(storage)
            let key = try HKDF.deriveKey(
                hash: .sha256,
                inputKeyMaterial: StorageKind.key,
                info: Array("credential storage file 1".utf8),
                length: 32
            )
            let file = try ProtectedFile(path: folder + "/w", format: "cred-st1", key: key) { fault in
                CredentialStoreError(.storageFailed, fault.message)
            }
            try file.update { (content) throws(CredentialStoreError) in
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
            let storage = try FileCredentialStorage(path: path, key: StorageKind.key)
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
                try await storage.write([.insert(StoragePlace(.credentials, key: [7]), SecretBytes([7]))])
            }
        }
    }

    @Test func aRepairNamesTheLostValue() async throws {
        try await withFolder { folder in
            let path = folder + "/w"
            let storage = try FileCredentialStorage(path: path, key: StorageKind.key)
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
            let storage = try FileCredentialStorage(path: path, key: StorageKind.key)
            try await fill(storage)
            let other = try FileCredentialStorage(path: path, key: SecretBytes([UInt8](repeating: 0x43, count: 32)))
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
            let storage = try FileCredentialStorage(path: path, key: StorageKind.key)
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
