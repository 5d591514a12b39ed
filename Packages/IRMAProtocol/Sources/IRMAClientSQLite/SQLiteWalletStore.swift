#if SQLite
public import CryptoCore
import Foundation
import GRDB
public import IRMAClient
import SQLiteFiles

/// A wallet's store in an SQLite file, in which every value is encrypted under the app's key.
///
/// Each value is authenticated together with its place, so that no row can take the place of another. An earlier copy
/// of the file or of a row, put in its place, brings back an older state. A change is in the file, and on the disk, when its call returns; the content
/// of removed rows is overwritten. The key belongs in the device's keychain and is never written here.
public final class SQLiteWalletStore: WalletStore {
    private let file: SQLiteValueFile
    private let cipher: WalletValueCipher

    /// Opens a file, or creates it.
    ///
    /// - Parameters:
    ///   - path: The path of the file, on a local disk.
    ///   - key: The app's key: 32 bytes.
    ///   - busyTimeout: The time that a call waits for another process.
    /// - Throws: `WalletError` with the code `storageFailed`, also for a file of another kind, a key of another size, and SQLite
    ///   before 3.37.
    public init(path: String, key: SecretBytes, busyTimeout: Duration = .seconds(5)) throws(WalletError) {
        let file = try SQLiteFile(path: path) { WalletError(.storageFailed, $0) }
        try Self.checkLibrary(number: Database.sqliteLibVersionNumber)
        cipher = try WalletValueCipher(key: key)
        try file.create { WalletError(.storageFailed, $0, path: [file.name]) }
        do {
            self.file = try SQLiteValueFile(opening: file, hasVersions: false, busyTimeout: busyTimeout) {
                WalletError(.storageFailed, $0, path: [file.name])
            }
        } catch {
            throw WalletError(sqlite: error, in: file.name)
        }
    }

    /// Refuses a library without `STRICT` tables, by its number.
    package static func checkLibrary(number: CInt) throws(WalletError) {
        try SQLiteVersion(number: number).requireStrictTables { WalletError(.storageFailed, $0) }
    }

    /// The value at a place, or `nil`.
    public func value(at place: WalletPlace) async throws(WalletError) -> SecretBytes? {
        let sealed: [UInt8]?
        let queue = try queue()
        do {
            sealed = try await queue.read { db in
                try Data.fetchOne(
                    db,
                    sql: "SELECT value FROM wallet WHERE collection = ? AND key = ?",
                    arguments: [Int(place.collection.number), Data(place.key)]
                ).map { Array($0) }
            }
        } catch {
            throw WalletError(sqlite: error, in: file.name)
        }
        guard let sealed else { return nil }
        return try cipher.open(sealed, at: place)
    }

    /// The places of a collection that have a value, in the order of their keys' bytes.
    public func places(in collection: WalletCollection) async throws(WalletError) -> [WalletPlace] {
        let queue = try queue()
        do {
            return try await queue.read { db in
                try Data.fetchAll(
                    db,
                    sql: "SELECT key FROM wallet WHERE collection = ? ORDER BY key",
                    arguments: [Int(collection.number)]
                ).map { WalletPlace(collection, key: Array($0)) }
            }
        } catch {
            throw WalletError(sqlite: error, in: file.name)
        }
    }

    /// Makes changes, all of them or none.
    public func write(_ changes: [WalletChange]) async throws(WalletError) {
        try WalletChange.requireKeys(of: changes)
        let queue = try queue()
        var rows: [(sql: String, arguments: StatementArguments)] = []
        for change in changes {
            let (collection, key) = (Int(change.place.collection.number), Data(change.place.key))
            switch change {
            case .put(let place, let value):
                let sealed = Data(try cipher.seal(value, at: place))
                rows.append(("INSERT OR REPLACE INTO wallet VALUES (?, ?, ?)", [collection, key, sealed]))
            case .insert(let place, let value):
                let sealed = Data(try cipher.seal(value, at: place))
                rows.append(("INSERT INTO wallet VALUES (?, ?, ?)", [collection, key, sealed]))
            case .remove:
                rows.append(("DELETE FROM wallet WHERE collection = ? AND key = ?", [collection, key]))
            }
        }
        do {
            try await queue.write { [rows] db in
                for row in rows { try db.cachedStatement(sql: row.sql).execute(arguments: row.arguments) }
            }
        } catch {
            throw WalletError(sqlite: error, in: file.name)
        }
    }

    /// Closes the file when the calls under way have ended; later ones are refused.
    public func close() { file.close() }

    private func queue() throws(WalletError) -> DatabaseQueue {
        guard let queue = file.queue else {
            throw WalletError(.storageFailed, "the store is closed", path: [file.name])
        }
        return queue
    }
}

extension WalletError {
    /// The error of a store for one of the database.
    fileprivate init(sqlite error: any Error, in file: String) {
        if let error = error as? WalletError {
            self = error
            return
        }
        switch SQLiteFailure(error).kind {
        case .cancelled: self.init(.cancelled, "the task was cancelled", path: [file])
        case .conflict: self.init(.storageConflict, "a value is there already", path: [file], cause: error)
        case .damaged: self.init(.storageDamaged, "the file is no sound database", path: [file], cause: error)
        default: self.init(.storageFailed, "the database is busy, closed or failed", path: [file], cause: error)
        }
    }
}
#endif
