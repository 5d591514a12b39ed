import CredentialWallet
import CredentialWalletContracts
import CryptoCore
import Foundation
import Testing

#if SQLite
import CredentialWalletSQLite
#endif

@Suite struct StorageTests {
    #if SQLite
    @Test(arguments: [(3_036_000, "3.36.0"), (3_008_011, "3.8.11"), (3_037_000, nil), (4_000_000, nil)])
    func refusesLibrariesWithoutStrictTables(number: CInt, name: String?) {
        do throws(CredentialStoreError) {
            try SQLiteCredentialStorage.checkLibrary(number: number)
            #expect(name == nil)
        } catch {
            #expect(error.code == .storageFailed)
            #expect(name.map { error.message.contains("SQLite \($0) is too old") } == true)
        }
    }
    #endif

    private static let place = StoragePlace(.credentials, key: [1])

    @Test(arguments: StorageKind.allCases, CredentialStorageContract.promises)
    func keepsThePromise(kind: StorageKind, promise: CredentialStorageContract.Promise) async throws {
        try await kind.withStorage { try await promise.check($0) }
    }

    @Test(arguments: StorageKind.durable)
    func keepsValuesOverARestart(kind: StorageKind) async throws {
        try await withFolder { folder in
            try await kind.open(in: folder).write([.insert(Self.place, SecretBytes([1, 2, 3]))])
            #expect(try await kind.open(in: folder).entry(at: Self.place)?.value == SecretBytes([1, 2, 3]))
        }
    }

    @Test(arguments: StorageKind.durable)
    func hasNothingInClear(kind: StorageKind) async throws {
        try await withFolder { folder in
            let text = Array("Alice Wonderland".utf8)
            let storage = try kind.open(in: folder)
            try await storage.write([.insert(Self.place, SecretBytes(text))])
            try await storage.write([.replace(Self.place, SecretBytes(text + text), version: 1)])
            var raw: [UInt8] = []
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                raw += [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
            }
            #expect(raw.count > 64)
            #expect(raw.firstRange(of: text) == nil)
            #expect(raw.firstRange(of: [UInt8](repeating: 0x42, count: 32)) == nil)
        }
    }

    @Test(arguments: StorageKind.durable)
    func refusesAnotherKey(kind: StorageKind) async throws {
        try await withFolder { folder in
            try await kind.open(in: folder).write([.insert(Self.place, SecretBytes([1]))])
            let other = SecretBytes([UInt8](repeating: 0x43, count: 32))
            await expect(.storageDamaged) { _ = try await kind.open(in: folder, key: other).entry(at: Self.place) }
            for size in [0, 31, 33] {
                let key = SecretBytes([UInt8](repeating: 1, count: size))
                await expect(.storageFailed) { _ = try kind.open(in: folder, key: key) }
            }
        }
    }

    @Test(arguments: StorageKind.durable)
    func keepsTheFileToItsOwner(kind: StorageKind) async throws {
        try await withFolder { folder in
            try await kind.open(in: folder).write([.insert(Self.place, SecretBytes([1]))])
            let attributes = try FileManager.default.attributesOfItem(atPath: kind.path(in: folder))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func refusesEveryChangedBitOfAFile() async throws {
        try await withFolder { folder in
            let path = StorageKind.file.path(in: folder)
            let storage = try FileCredentialStorage(path: path, key: StorageKind.key)
            try await storage.write([.insert(Self.place, SecretBytes([1, 2]))])
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            for bit in 0..<whole.count * 8 {
                var changed = whole
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                try changed.write(to: URL(fileURLWithPath: path))
                await expect(.storageDamaged) { _ = try storage.entry(at: Self.place) }
            }
            for length in [0, 8, 39, 40, whole.count - 1] {
                try whole.prefix(length).write(to: URL(fileURLWithPath: path))
                await expect(.storageDamaged) { _ = try storage.entry(at: Self.place) }
                await expect(.storageDamaged) { try storage.write([.insert(Self.place, SecretBytes([1]))]) }
            }
        }
    }

    @Test func refusesPlacesThatAreNoFile() async throws {
        for path in ["", "/", "a\0b"] {
            await expect(.storageFailed) { _ = try FileCredentialStorage(path: path, key: StorageKind.key) }
        }
        let nowhere = try FileCredentialStorage(path: "/nowhere/at/all/wallet", key: StorageKind.key)
        await expect(.storageFailed) { try nowhere.write([.insert(Self.place, SecretBytes([1]))]) }
    }

    @Test func createsAnEmptyWalletOnce() async throws {
        try await withFolder { folder in
            let storage = try FileCredentialStorage(path: folder + "/w", key: StorageKind.key)
            #expect(try !storage.exists())
            try storage.create()
            #expect(try storage.exists())
            #expect(try storage.entries(in: .credentials).isEmpty)
            await expect(.storageConflict) { try storage.create() }
        }
    }
}
