#if SQLite
import CryptoCore
import Foundation
import GRDB
import IRMAClient
import IRMAClientContracts
import IRMAClientSQLite
import Testing

/// Runs a body with a folder of its own, which is removed afterwards.
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wallet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.path)
}

struct SQLiteWalletStoreTests {
    @Test(arguments: [(3_036_000, "3.36.0"), (3_008_011, "3.8.11"), (3_037_000, nil), (4_000_000, nil)])
    func refusesLibrariesWithoutStrictTables(number: CInt, name: String?) {
        do throws(WalletError) {
            try SQLiteWalletStore.checkLibrary(number: number)
            #expect(name == nil)
        } catch {
            #expect(error.code == .storageFailed)
            #expect(name.map { error.message.contains("SQLite \($0) is too old") } == true)
        }
    }

    static let key = SecretBytes([UInt8](repeating: 0x42, count: 32))
    private static let first = WalletPlace(.credentials, key: [1])
    private static let second = WalletPlace(.credentials, key: [2])

    private func withStore(_ body: (SQLiteWalletStore, String) async throws -> Void) async throws {
        try await withFolder { folder in
            let path = folder + "/wallet.sqlite"
            try await body(try SQLiteWalletStore(path: path, key: Self.key), path)
        }
    }

    private func write(_ sql: String, _ arguments: StatementArguments = [], in path: String) async throws {
        try await DatabaseQueue(path: path).write { db in try db.execute(sql: sql, arguments: arguments) }
    }

    private func expect(
        _ code: WalletError.Code,
        _ body: () async throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: WalletError.self, sourceLocation: sourceLocation) { try await body() }
        #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
    }

    @Test(arguments: WalletStoreContract.promises)
    func keepsThePromise(promise: WalletStoreContract.Promise) async throws {
        try await withStore { store, _ in try await promise.check(store) }
    }

    @Test func keepsValuesOverARestart() async throws {
        try await withStore { store, path in
            try await store.write([.put(Self.first, SecretBytes([1, 2, 3]))])
            store.close()
            let again = try SQLiteWalletStore(path: path, key: Self.key)
            #expect(try await again.value(at: Self.first) == SecretBytes([1, 2, 3]))
        }
    }

    @Test func refusesSwappedRows() async throws {
        try await withStore { store, path in
            try await store.write([
                .put(Self.first, SecretBytes([1])), .put(Self.second, SecretBytes([2])),
                .put(WalletPlace(.log, key: [1]), SecretBytes([3])),
            ])
            try await write("UPDATE wallet SET key = X'03' WHERE collection = 2 AND key = X'01'", in: path)
            try await write("UPDATE wallet SET key = X'01' WHERE collection = 2 AND key = X'02'", in: path)
            try await write("UPDATE wallet SET key = X'02' WHERE collection = 2 AND key = X'03'", in: path)
            await expect(.storageDamaged) { _ = try await store.value(at: Self.first) }
            await expect(.storageDamaged) { _ = try await store.value(at: Self.second) }
            // The same key in another collection is another place.
            try await write("UPDATE wallet SET collection = 3 WHERE collection = 4", in: path)
            await expect(.storageDamaged) { _ = try await store.value(at: WalletPlace(.accounts, key: [1])) }
        }
    }

    @Test func refusesEveryChangedBit() async throws {
        try await withStore { store, path in
            try await store.write([.put(Self.first, SecretBytes([1, 2]))])
            let sealed = try await DatabaseQueue(path: path).read { db in
                try #require(try Data.fetchOne(db, sql: "SELECT value FROM wallet"))
            }
            #expect(sealed.count == 12 + 2 + 16)
            for bit in 0..<sealed.count * 8 {
                var changed = sealed
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                try await write("UPDATE wallet SET value = ?", [changed], in: path)
                await expect(.storageDamaged) { _ = try await store.value(at: Self.first) }
            }
            for length in [0, 11, 12, 27, sealed.count - 1] {
                try await write("UPDATE wallet SET value = ?", [sealed.prefix(length)], in: path)
                await expect(.storageDamaged) { _ = try await store.value(at: Self.first) }
            }
        }
    }

    @Test func refusesAnotherKey() async throws {
        try await withStore { store, path in
            try await store.write([.put(Self.first, SecretBytes([1]))])
            let other = try SQLiteWalletStore(path: path, key: SecretBytes([UInt8](repeating: 0x43, count: 32)))
            await expect(.storageDamaged) { _ = try await other.value(at: Self.first) }
        }
        await expect(.storageFailed) {
            try await withFolder { folder in
                _ = try SQLiteWalletStore(path: folder + "/w", key: SecretBytes([UInt8](repeating: 1, count: 31)))
            }
        }
    }

    @Test func encryptsTheSameValueDifferentlyEachTime() async throws {
        try await withStore { store, path in
            func sealed() async throws -> Data? {
                try await DatabaseQueue(path: path).read { db in try Data.fetchOne(db, sql: "SELECT value FROM wallet")
                }
            }
            try await store.write([.put(Self.first, SecretBytes([1]))])
            let before = try await sealed()
            try await store.write([.put(Self.first, SecretBytes([1]))])
            #expect(try await sealed() != before)
        }
    }

    @Test func refusesFilesOfAnotherKind() async throws {
        try await withFolder { folder in
            let path = folder + "/other.sqlite"
            try await write("CREATE TABLE other (id INTEGER)", in: path)
            await expect(.storageFailed) { _ = try SQLiteWalletStore(path: path, key: Self.key) }
            // An mdoc wallet's has the same number, and the same name of its table.
            let mdocs = folder + "/mdocs.sqlite"
            try await write("CREATE TABLE wallet (collection, key, version, value)", in: mdocs)
            try await write("PRAGMA user_version = 1", in: mdocs)
            await expect(.storageFailed) { _ = try SQLiteWalletStore(path: mdocs, key: Self.key) }
            let text = folder + "/text"
            try String(repeating: "not a database ", count: 100).write(toFile: text, atomically: true, encoding: .utf8)
            await expect(.storageDamaged) { _ = try SQLiteWalletStore(path: text, key: Self.key) }
        }
        for path in ["", ":memory:", "file:x"] {
            await expect(.storageFailed) { _ = try SQLiteWalletStore(path: path, key: Self.key) }
        }
    }

    @Test func keepsTheFileToItsOwner() async throws {
        try await withStore { _, path in
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test(arguments: [Duration.seconds(25 * 86_400), .seconds(Int64.max), .seconds(-1)])
    func takesAnyBusyTimeout(_ timeout: Duration) async throws {
        try await withFolder { folder in
            let path = folder + "/wallet.sqlite"
            let store = try SQLiteWalletStore(path: path, key: Self.key, busyTimeout: timeout)
            #expect(try await store.places(in: .credentials).isEmpty)
        }
    }

    @Test func refusesCallsAfterClosing() async throws {
        try await withStore { store, _ in
            store.close()
            await expect(.storageFailed) { _ = try await store.value(at: Self.first) }
            await expect(.storageFailed) { try await store.write([.remove(Self.first)]) }
        }
    }
}
#endif
