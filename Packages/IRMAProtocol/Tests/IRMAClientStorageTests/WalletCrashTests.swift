#if SQLite && os(Linux)
import CredentialWallet
import CredentialWalletSQLite
import CryptoCore
import Foundation
import GRDB
import IRMAMessages
import SQLiteTesting
import Testing

@testable import IRMAClient

/// A process with a wallet that is killed while it writes, at one step after the other.
@Suite(.serialized) struct WalletCrashTests {
    /// The writer makes this number of rounds.
    private static let rounds: UInt8 = 6
    private static let completeExit: Int32 = 3
    private static let key = SecretBytes([UInt8](repeating: 0x42, count: 32))

    /// Kills a writer at one step after the other, and looks at what it left.
    private func killAtAnyWrite(
        _ what: String,
        _ writer: (String, Int) async throws -> ExitTest.Result?,
        _ verify: (String) async throws -> Void
    ) async throws {
        var kills = 0
        var step = 1
        var isComplete = false
        while !isComplete {
            try await withFolder { folder in
                let exit = try #require(try await writer(folder, step)).exitStatus
                isComplete = exit == .exitCode(Self.completeExit)
                if !isComplete {
                    #expect(exit == .signal(SIGKILL))
                    kills += 1
                }
                try await verify(folder)
                let integrity = try await DatabaseQueue(path: folder + "/wallet.sqlite").read { db in
                    try String.fetchAll(db, sql: "PRAGMA integrity_check")
                }
                #expect(integrity == ["ok"])
            }
            step += 1 + step / 16
        }
        print("\(what): killed at \(kills) steps of a writer, nothing that was acknowledged is lost")
        #expect(kills >= 20)
    }

    private static func storage(in folder: String) throws -> SQLiteCredentialStorage {
        try SQLiteCredentialStorage(path: folder + "/wallet.sqlite", key: key)
    }

    /// The file in which a writer notes each round that was acknowledged.
    private static func note(in folder: String) throws -> FileHandle {
        let path = folder + "/acknowledged"
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let note = FileHandle(forWritingAtPath: path)
        else { exit(1) }
        return note
    }

    private static func acknowledged(in folder: String) throws -> UInt8 {
        try Data(contentsOf: URL(fileURLWithPath: folder + "/acknowledged")).last ?? 0
    }

    // MARK: Values in and out together

    @Test(.timeLimit(.minutes(5)))
    func replacesACredentialOrDoesNot() async throws {
        try await killAtAnyWrite("wallet") { folder, step in
            await #expect(processExitsWith: .failure) { [folder = folder as String, step = step as Int] in
                try await Self.replaceCredentials(in: folder, killedAt: step)
            }
        } _: { folder in
            try await Self.verifyCredentials(in: folder)
        }
    }

    private static func place(_ collection: StorageCollection, _ number: UInt8) -> StoragePlace {
        StoragePlace(collection, key: [number])
    }

    private static func value(_ number: UInt8) -> SecretBytes {
        SecretBytes([UInt8](repeating: number, count: 5000))
    }

    /// The work of the process that is killed: each round replaces the credential of the one before, with an entry of the log.
    private static func replaceCredentials(in folder: String, killedAt step: Int) async throws {
        let (note, storage) = (try note(in: folder), try storage(in: folder))
        WriteCalls.killAfter(step)
        for round in 1...rounds {
            let old = round == 1 ? [] : [StorageChange.remove(place(.irmaCredentials, round - 1), version: 1)]
            try await storage.write(
                [.insert(place(.irmaCredentials, round), value(round))] + old
                    + [.insert(place(.irmaLog, round), SecretBytes([round]))]
            )
            try note.write(contentsOf: Data([round]))
        }
        exit(completeExit)
    }

    /// The state after the last acknowledged change, or after the one behind it.
    private static func verifyCredentials(in folder: String) async throws {
        let acknowledged = try acknowledged(in: folder)
        let storage = try storage(in: folder)
        let log = try await storage.entries(in: .irmaLog).map(\.place.key)
        let last = log.last?.first ?? 0
        #expect(last == acknowledged || last == acknowledged + 1, "\(last) after \(acknowledged)")
        #expect(log == (0..<last).map { [$0 + 1] })
        let credentials = try await storage.entries(in: .irmaCredentials)
        #expect(credentials.map(\.place) == (last == 0 ? [] : [place(.irmaCredentials, last)]))
        #expect(credentials.allSatisfy { $0.value == value(last) })
        try await storage.write([.insert(place(.irmaAccounts, 1), value(1))])
        storage.close()
    }

    // MARK: Accounts

    @Test(.timeLimit(.minutes(5)))
    func removesAnAccountAsAWhole() async throws {
        try await killAtAnyWrite("account") { folder, step in
            await #expect(processExitsWith: .failure) { [folder = folder as String, step = step as Int] in
                try await Self.useAccounts(in: folder, killedAt: step)
            }
        } _: { folder in
            try await Self.verifyAccounts(in: folder)
        }
    }

    private static func scheme(_ round: UInt8) -> SchemeIdentifier { SchemeIdentifier("scheme\(round)") }

    /// The work of the process that is killed: each round makes an account with an issuance under way, and removes it.
    private static func useAccounts(in folder: String, killedAt step: Int) async throws {
        let (note, storage) = (try note(in: folder), try storage(in: folder))
        let vault = try await WalletVault.open(storage, using: SystemRandomSource())
        WriteCalls.killAfter(step)
        for round in 1...rounds {
            let account = WalletKeyshareAccount(
                scheme: scheme(round),
                username: "user",
                nonce: SecretBytes([UInt8](repeating: round, count: 32))
            )
            try await vault.put(account)
            let issuance = StoredIssuance(
                url: "https://irma.example",
                authorization: "",
                body: [round],
                keys: [],
                entry: SessionLogEntry(time: Date(timeIntervalSince1970: 0), kind: .issuing, host: ""),
                enrollment: scheme(round),
                pending: value(round)
            )
            _ = try await vault.keep(issuance, of: [account])
            _ = try await vault.removeAccount(
                of: scheme(round),
                schemes: SchemeSnapshot(),
                at: Date(timeIntervalSince1970: 0)
            )
            try note.write(contentsOf: Data([round]))
        }
        exit(completeExit)
    }

    /// The accounts that were acknowledged as removed are gone with their issuances, and noted down.
    private static func verifyAccounts(in folder: String) async throws {
        let acknowledged = try acknowledged(in: folder)
        let storage = try storage(in: folder)
        let vault = try await WalletVault.open(storage, using: SystemRandomSource())
        let log = try await vault.log(before: nil, limit: 100).map(\.number)
        let last = UInt8(log.count)
        #expect(last == acknowledged || last == acknowledged + 1, "\(last) after \(acknowledged)")
        #expect(log == (0..<UInt64(last)).map { $0 + 1 }.reversed())
        let accounts = try await vault.accounts().map(\.scheme)
        #expect(accounts.isEmpty || accounts == [scheme(last + 1)], "\(accounts) after \(last)")
        let issuances = try await storage.entries(in: .irmaIssuances).map { try StoredIssuance(decoding: $0.value) }
        #expect(issuances.isEmpty || issuances.map(\.enrollment) == accounts.map { $0 })
        storage.close()
    }
}
#endif
