#if SQLite
import CredentialWallet
import CredentialWalletSQLite
import CryptoCore
import Foundation
import GRDB
import Testing

/// The refusals of a storage in SQLite: of its file, its path and its callers.
@Suite struct SQLiteStorageTests {
    private static let first = StoragePlace(.credentials, key: [1])
    private static let second = StoragePlace(.credentials, key: [2])
    private static let other = StoragePlace(.copies, key: [1])

    private func withStorage(_ body: (SQLiteCredentialStorage, String) async throws -> Void) async throws {
        try await withFolder { folder in
            let path = folder + "/wallet.sqlite"
            try await body(try SQLiteCredentialStorage(path: path, key: StorageKind.key), path)
        }
    }

    private func write(_ sql: String, _ arguments: StatementArguments = [], in path: String) async throws {
        try await DatabaseQueue(path: path).write { db in try db.execute(sql: sql, arguments: arguments) }
    }

    private func sealed(in path: String) async throws -> Data {
        try await DatabaseQueue(path: path).read { db in
            try #require(try Data.fetchOne(db, sql: "SELECT value FROM wallet"))
        }
    }

    @Test func refusesSwappedRows() async throws {
        try await withStorage { storage, path in
            try await storage.write([
                .insert(Self.first, SecretBytes([1])), .insert(Self.second, SecretBytes([2])),
                .insert(Self.other, SecretBytes([3])),
            ])
            try await write("UPDATE wallet SET key = X'03' WHERE collection = 201 AND key = X'01'", in: path)
            try await write("UPDATE wallet SET key = X'01' WHERE collection = 201 AND key = X'02'", in: path)
            try await write("UPDATE wallet SET key = X'02' WHERE collection = 201 AND key = X'03'", in: path)
            await expect(.storageDamaged) { _ = try await storage.entry(at: Self.first) }
            await expect(.storageDamaged) { _ = try await storage.entry(at: Self.second) }
            // The same key in another collection is another place.
            try await write("UPDATE wallet SET collection = 203 WHERE collection = 202", in: path)
            let moved = StoragePlace(StorageCollection(203, "others"), key: [1])
            await expect(.storageDamaged) { _ = try await storage.entry(at: moved) }
        }
    }

    @Test func refusesAnotherVersion() async throws {
        try await withStorage { storage, path in
            try await storage.write([.insert(Self.first, SecretBytes([1]))])
            try await write("UPDATE wallet SET version = 2", in: path)
            await expect(.storageDamaged) { _ = try await storage.entry(at: Self.first) }
        }
    }

    @Test func refusesEveryChangedBit() async throws {
        try await withStorage { storage, path in
            try await storage.write([.insert(Self.first, SecretBytes([1, 2]))])
            let sealed = try await sealed(in: path)
            #expect(sealed.count == 12 + 2 + 16)
            for bit in 0..<sealed.count * 8 {
                var changed = sealed
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                try await write("UPDATE wallet SET value = ?", [changed], in: path)
                await expect(.storageDamaged) { _ = try await storage.entry(at: Self.first) }
            }
            for length in [0, 11, 12, 27, sealed.count - 1] {
                try await write("UPDATE wallet SET value = ?", [sealed.prefix(length)], in: path)
                await expect(.storageDamaged) { _ = try await storage.entry(at: Self.first) }
            }
        }
    }

    @Test func encryptsTheSameValueDifferentlyEachTime() async throws {
        try await withStorage { storage, path in
            try await storage.write([.insert(Self.first, SecretBytes([1]))])
            let before = try await sealed(in: path)
            // The version is the same one again.
            try await storage.write([.remove(Self.first, version: 1), .insert(Self.first, SecretBytes([1]))])
            #expect(try await sealed(in: path) != before)
        }
    }

    @Test func refusesFilesOfAnotherKind() async throws {
        try await withFolder { folder in
            let path = folder + "/other.sqlite"
            try await write("CREATE TABLE other (id INTEGER)", in: path)
            await expect(.storageDamaged) { _ = try SQLiteCredentialStorage(path: path, key: StorageKind.key) }
            let text = folder + "/text"
            try String(repeating: "not a database ", count: 100).write(toFile: text, atomically: true, encoding: .utf8)
            await expect(.storageDamaged) { _ = try SQLiteCredentialStorage(path: text, key: StorageKind.key) }
        }
        for path in ["", ":memory:", "file:x"] {
            await expect(.storageFailed) { _ = try SQLiteCredentialStorage(path: path, key: StorageKind.key) }
        }
    }

    @Test(arguments: [Duration.seconds(25 * 86_400), .seconds(Int64.max), .seconds(-1)])
    func takesAnyBusyTimeout(_ timeout: Duration) async throws {
        try await withFolder { folder in
            let path = folder + "/wallet.sqlite"
            let storage = try SQLiteCredentialStorage(path: path, key: StorageKind.key, busyTimeout: timeout)
            #expect(try await storage.entries(in: .credentials).isEmpty)
        }
    }

    @Test func refusesCallsAfterClosing() async throws {
        try await withStorage { storage, _ in
            storage.close()
            await expect(.storageFailed) { _ = try await storage.entry(at: Self.first) }
            await expect(.storageFailed) { try await storage.write([.remove(Self.first, version: 1)]) }
        }
    }

    @Test func tellsACancelledTaskSo() async throws {
        try await withStorage { storage, _ in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                await expect(.cancelled) { _ = try await storage.entry(at: Self.first) }
                await expect(.cancelled) { try await storage.write([.insert(Self.first, SecretBytes([1]))]) }
            }
            await task.value
            let entry = try await storage.entry(at: Self.first)
            #expect(entry == nil)
        }
    }
}
#endif
