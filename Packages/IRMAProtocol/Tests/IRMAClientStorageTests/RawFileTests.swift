#if SQLite
import CredentialWallet
import CredentialWalletSQLite
import CryptoCore
import Foundation
import IRMAClient
import IRMAMessages
import Testing

/// Runs a body with a folder of its own, which is removed afterwards.
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wallet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.path)
}

/// The bytes of the file itself.
struct RawFileTests {
    /// The words that a wallet would write: a value, the name of an attribute and of a type, a host, a requestor.
    private static let words = [
        "Alice Wonderland", "demo.bank.card.name", "demo.bank.card", "irma.example", "Example Shop", "I owe you",
    ]

    @Test func hasNothingInClear() async throws {
        try await withFolder { folder in
            let path = folder + "/wallet.sqlite"
            let key = SecretBytes.random(count: 32)
            let secret = SecretBytes.random(count: 32)
            let storage = try SQLiteCredentialStorage(path: path, key: key)
            let entry = SessionLogEntry(
                time: Date(timeIntervalSince1970: 1_800_000_000),
                kind: .disclosing,
                host: "irma.example",
                requestorName: TranslatedText(["en": "Example Shop"]),
                disclosed: [[LoggedAttribute("demo.bank.card.name", value: "Alice Wonderland")]],
                issued: [LoggedCredential("demo.bank.card", attributes: [])]
            )
            let text = try entry.encoded() + Array("I owe you".utf8)
            let removed = StoragePlace(.irmaCredentials, key: [2])
            try await storage.write([
                .insert(StoragePlace(.irmaKeys, key: Array("secret key".utf8)), secret),
                .insert(StoragePlace(.irmaLog, key: [1]), SecretBytes(text)),
                .insert(removed, SecretBytes(text)),
            ])
            try await storage.write([.remove(removed, version: 1)])
            storage.close()
            var raw: [UInt8] = []
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                raw += [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
            }
            #expect(raw.count > 4096)
            let secrets = [key, secret].map { $0.withUnsafeBytes { [UInt8]($0) } }
            for needle in Self.words.map({ Array($0.utf8) }) + secrets {
                #expect(raw.firstRange(of: needle) == nil)
            }
        }
    }
}
#endif
