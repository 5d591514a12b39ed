import CredentialWallet
import CryptoCore
import Foundation
import IRMAClient
import MdocWallet
import SDJWTWallet
import Testing

#if SQLite
import CredentialWalletSQLite
#endif

/// The credentials of one wallet in every format, in one storage.
@Suite struct WalletStorageTests {
    /// A storage that stays over a restart.
    enum Kind: String, CaseIterable, Sendable {
        case file
        #if SQLite
        case sqlite
        #endif

        private static let key = SecretBytes([UInt8](repeating: 0x42, count: 32))

        func open(in folder: String) throws -> any CredentialStorage {
            switch self {
            case .file: return try FileCredentialStorage(path: folder + "/wallet", key: Self.key)
            #if SQLite
            case .sqlite: return try SQLiteCredentialStorage(path: folder + "/wallet.sqlite", key: Self.key)
            #endif
            }
        }
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wallet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.path)
    }

    @Test func collectionsOfAllFormatsDiffer() {
        let (mdocs, sdJWTs) = (MdocCopyFormat(), SDJWTCopyFormat())
        let collections =
            [mdocs.credentials, mdocs.copies, sdJWTs.credentials, sdJWTs.copies, .changes] + StorageCollection.irma
        #expect(Set(collections).count == collections.count)
        #expect(collections.allSatisfy { (1...31).contains($0.number) })
    }

    @Test(arguments: Kind.allCases, [false, true])
    func keepsTheCredentialsOfEachFormat(kind: Kind, isChecked: Bool) async throws {
        let scene = try await FormatScene()
        let counter = Counter()
        func storage(in folder: String) throws -> any CredentialStorage {
            let storage = try kind.open(in: folder)
            return isChecked ? RollbackCheckedCredentialStorage(storage, counter: counter) : storage
        }
        try await withFolder { folder in
            try await scene.fill(try storage(in: folder))
            // The process starts again.
            let again = try storage(in: folder)
            let (mdocs, sdJWTs) = (MdocCredentialStore(again), SDJWTCredentialStore(again))
            let irma = try await scene.irmaWallet(over: again)
            func counts() async throws -> [Int] {
                try await [
                    mdocs.copiesToPresent(at: FormatScene.now).copies.count,
                    sdJWTs.copiesToPresent(at: FormatScene.now).copies.count, irma.credentials().count,
                ]
            }
            #expect(try await counts() == [1, 1, 1])
            #expect(try await mdocs.contents().unreadable.isEmpty)
            #expect(try await sdJWTs.contents().unreadable.isEmpty)
            #expect(await irma.unreadableCredentials().isEmpty)
            #expect(try await scene.show(irma))
            // Each format removes its own content, and leaves that of the others.
            try await irma.deleteAll()
            #expect(try await counts() == [1, 1, 0])
            for credential in try await mdocs.credentials() { try await mdocs.remove(credential.id) }
            #expect(try await counts() == [0, 1, 0])
            try await scene.issue(to: irma)
            for credential in try await sdJWTs.credentials() { try await sdJWTs.remove(credential.id) }
            #expect(try await counts() == [0, 0, 1])
        }
    }

    /// A counter outside of the storage.
    private actor Counter: MonotonicCounter {
        private var number: UInt64 = 0

        func value() -> UInt64 { number }

        func raise(to value: UInt64) { number = max(number, value) }
    }
}
