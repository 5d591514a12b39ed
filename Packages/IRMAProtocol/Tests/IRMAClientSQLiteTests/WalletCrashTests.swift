#if SQLite && os(Linux)
import CredentialTransport
import CryptoCore
import Foundation
import GRDB
import IRMAClient
import IRMAClientSQLite
import IRMAMessages
import IdemixCore
import SQLiteTesting
import Testing

/// A process that is killed while it writes, at one step after the other.
@Suite(.serialized) struct WalletCrashTests {
    /// The writer makes this number of changes, as a wallet does: values in and out together, with an entry of the log.
    private static let rounds: UInt8 = 6
    private static let completeExit: Int32 = 3

    @Test(.timeLimit(.minutes(5)))
    func survivesAKillAtAnyWrite() async throws {
        var kills = 0
        var step = 1
        var isComplete = false
        while !isComplete {
            let count = step
            try await withFolder { folder in
                let outcome = await #expect(processExitsWith: .failure) {
                    [folder = folder as String, count = count as Int] in
                    try await Self.write(in: folder, killedAt: count)
                }
                let exit = try #require(outcome).exitStatus
                isComplete = exit == .exitCode(Self.completeExit)
                if !isComplete {
                    #expect(exit == .signal(SIGKILL))
                    kills += 1
                }
                try await Self.verify(folder)
            }
            step += 1 + step / 16
        }
        print("wallet: killed at \(kills) steps of a writer, nothing that was acknowledged is lost")
        #expect(kills >= 20)
    }

    private static func place(_ collection: WalletCollection, _ number: UInt8) -> WalletPlace {
        WalletPlace(collection, key: [number])
    }

    private static func value(_ number: UInt8) -> SecretBytes {
        SecretBytes([UInt8](repeating: number, count: 5000))
    }

    /// The work of the process that is killed: it notes each change that was acknowledged.
    private static func write(in folder: String, killedAt step: Int) async throws {
        guard FileManager.default.createFile(atPath: folder + "/acknowledged", contents: nil) else { exit(1) }
        let note = FileHandle(forWritingAtPath: folder + "/acknowledged")
        let store = try SQLiteWalletStore(path: folder + "/wallet.sqlite", key: SQLiteWalletStoreTests.key)
        WriteCalls.killAfter(step)
        for round in 1...rounds {
            // The credential of the round before is replaced.
            try await store.write([
                .insert(place(.credentials, round), value(round)), .remove(place(.credentials, round - 1)),
                .insert(place(.log, round), SecretBytes([round])),
            ])
            try note?.write(contentsOf: Data([round]))
        }
        exit(completeExit)
    }

    /// Looks at what the killed process left: the state after the last acknowledged change, or after the one behind it.
    private static func verify(_ folder: String) async throws {
        let acknowledged = try Data(contentsOf: URL(fileURLWithPath: folder + "/acknowledged")).last ?? 0
        let path = folder + "/wallet.sqlite"
        let store = try SQLiteWalletStore(path: path, key: SQLiteWalletStoreTests.key)
        let log = try await store.places(in: .log).map(\.key)
        let last = log.last?.first ?? 0
        #expect(last == acknowledged || last == acknowledged + 1, "\(last) after \(acknowledged)")
        #expect(log == (0..<last).map { [$0 + 1] })
        let credentials = try await store.places(in: .credentials)
        #expect(credentials == (last == 0 ? [] : [place(.credentials, last)]))
        if let credential = credentials.first {
            #expect(try await store.value(at: credential) == value(last))
        }
        try await store.write([.put(place(.accounts, 1), value(1))])
        store.close()
        let integrity = try await DatabaseQueue(path: path).read { db in
            try String.fetchAll(db, sql: "PRAGMA integrity_check")
        }
        #expect(integrity == ["ok"])
    }
}
#endif
