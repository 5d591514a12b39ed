#if SQLite
import CryptoCore
import Foundation
import IRMAClient
import IRMAClientSQLite
import IRMAMessages
import Testing

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
            let store = try SQLiteWalletStore(path: path, key: key)
            var entry = SessionLogEntry(
                time: Date(timeIntervalSince1970: 1_800_000_000),
                kind: .disclosing,
                host: "irma.example",
                requestorName: TranslatedText(["en": "Example Shop"]),
                disclosed: [[LoggedAttribute("demo.bank.card.name", value: "Alice Wonderland")]],
                issued: [LoggedCredential("demo.bank.card", attributes: [])]
            )
            entry.host = "irma.example"
            let text = try entry.encodedBytes() + Array("I owe you".utf8)
            try await store.write([
                .put(WalletPlace(.keys, key: Array("secret key".utf8)), secret),
                .put(WalletPlace(.log, key: [1]), SecretBytes(text)),
                .put(WalletPlace(.credentials, key: [2]), SecretBytes(text)),
            ])
            try await store.write([.remove(WalletPlace(.credentials, key: [2]))])
            store.close()
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
