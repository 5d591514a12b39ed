import CredentialWallet
import CryptoCore
import Foundation
import Testing

#if SQLite
import CredentialWalletSQLite
#endif

/// Runs a body with a folder of its own, which is removed afterwards.
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wallet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.path)
}

/// The kinds of storages.
enum StorageKind: String, CaseIterable, Sendable {
    case memory, file
    #if SQLite
    case sqlite
    #endif

    static let key = SecretBytes([UInt8](repeating: 0x42, count: 32))

    /// The kinds that keep values over a restart.
    static let durable = allCases.filter { $0 != .memory }

    /// A storage in a folder.
    func open(in folder: String, key: SecretBytes = StorageKind.key) throws -> any CredentialStorage {
        switch self {
        case .memory: return InMemoryCredentialStorage()
        case .file: return try FileCredentialStorage(path: path(in: folder), key: key)
        #if SQLite
        case .sqlite: return try SQLiteCredentialStorage(path: path(in: folder), key: key)
        #endif
        }
    }

    func path(in folder: String) -> String { folder + "/wallet.\(rawValue)" }

    func withStorage(_ body: (any CredentialStorage) async throws -> Void) async throws {
        try await withFolder { folder in try await body(try open(in: folder)) }
    }
}

/// Expects an error with a code.
func expect(
    _ code: CredentialStoreError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    let error = await #expect(throws: CredentialStoreError.self, sourceLocation: sourceLocation) { try await body() }
    #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
}
