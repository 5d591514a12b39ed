#if SQLite
public import CryptoCore
import Foundation
import GRDB
public import CredentialWallet
import SQLiteFiles

/// A wallet's storage in an SQLite file, in which every value is encrypted under the app's key.
///
/// Each value is authenticated together with its place and version, so that no row can take the place of another. An earlier
/// copy of the file or of a row, put in its place, brings back an earlier state; `RollbackCheckedCredentialStorage` refuses that of the file. A change is in the file, and on the disk, when its call
/// returns; the content of removed rows is overwritten. The key belongs in the device's keychain and is never written here.
public final class SQLiteCredentialStorage: CredentialStorage {
    private let file: SQLiteValueFile
    private let cipher: StorageValueCipher

    /// Opens a file, or creates it.
    ///
    /// - Parameters:
    ///   - path: The path of the file, on a local disk.
    ///   - key: The app's key: 32 bytes.
    ///   - busyTimeout: The time that a call waits for another process.
    /// - Throws: `CredentialStoreError` with the code `storageFailed`, also for a key of another size and for SQLite before 3.37, or
    ///   `storageDamaged` for a file of another kind.
    public init(path: String, key: SecretBytes, busyTimeout: Duration = .seconds(5)) throws(CredentialStoreError) {
        let file = try SQLiteFile(path: path) { CredentialStoreError(.storageFailed, $0) }
        try Self.checkLibrary(number: Database.sqliteLibVersionNumber)
        cipher = try StorageValueCipher(key: key)
        try file.create { CredentialStoreError(.storageFailed, $0, path: [file.name]) }
        do {
            self.file = try SQLiteValueFile(opening: file, busyTimeout: busyTimeout) {
                CredentialStoreError(.storageDamaged, $0, path: [file.name])
            }
        } catch {
            throw CredentialStoreError(sqlite: error, in: file.name)
        }
    }

    /// Refuses a library without `STRICT` tables, by its number.
    package static func checkLibrary(number: CInt) throws(CredentialStoreError) {
        try SQLiteVersion(number: number).requireStrictTables { CredentialStoreError(.storageFailed, $0) }
    }

    /// The value at a place, or nil.
    public func entry(at place: StoragePlace) async throws(CredentialStoreError) -> StorageEntry? {
        try await rows("AND key = ?", place.collection, [Data(place.key)]).first?.entry()
    }

    /// The values of a collection, in the order of their keys' bytes.
    public func entries(in collection: StorageCollection) async throws(CredentialStoreError) -> [StorageEntry] {
        var entries: [StorageEntry] = []
        for record in try await records(in: collection) { entries.append(try record.entry()) }
        return entries
    }

    /// The values of a collection, in the order of their keys' bytes, with damaged ones among them.
    public func records(in collection: StorageCollection) async throws(CredentialStoreError) -> [StorageRecord] {
        try await rows("ORDER BY key", collection, [])
    }

    /// The places of a collection that have a value, in the order of their keys' bytes.
    public func places(in collection: StorageCollection) async throws(CredentialStoreError) -> [StoragePlace] {
        let queue = try queue()
        do {
            return try await queue.read { db in
                try Data.fetchAll(
                    db,
                    sql: "SELECT key FROM wallet WHERE collection = ? ORDER BY key",
                    arguments: [Int(collection.number)]
                ).map { StoragePlace(collection, key: Array($0)) }
            }
        } catch {
            throw CredentialStoreError(sqlite: error, in: file.name)
        }
    }

    private func rows(
        _ condition: String,
        _ collection: StorageCollection,
        _ arguments: StatementArguments
    ) async throws(CredentialStoreError) -> [StorageRecord] {
        let queue = try queue()
        do {
            return try await queue.read { [cipher] db in
                try Row.fetchAll(
                    db,
                    sql: "SELECT key, version, value FROM wallet WHERE collection = ? \(condition)",
                    arguments: [Int(collection.number)] + arguments
                ).map { row in
                    let (key, version, value): (Data, Int64, Data) = (row[0], row[1], row[2])
                    return cipher.record(
                        Array(value),
                        at: StoragePlace(collection, key: Array(key)),
                        version: UInt64(bitPattern: version)
                    )
                }
            }
        } catch {
            throw CredentialStoreError(sqlite: error, in: file.name)
        }
    }

    /// Makes changes in their order, all of them or none.
    public func write(_ changes: [StorageChange]) async throws(CredentialStoreError) {
        try StorageChange.requireKeys(of: changes)
        let queue = try queue()
        do {
            try await queue.write { [cipher] db in
                for change in changes { try Self.make(change, db, cipher) }
            }
        } catch {
            throw CredentialStoreError(sqlite: error, in: file.name)
        }
    }

    private static func make(_ change: StorageChange, _ db: Database, _ cipher: StorageValueCipher) throws {
        let place = change.place
        let (collection, key) = (Int(place.collection.number), Data(place.key))
        switch change {
        case .insert(_, let value):
            let sealed = Data(try cipher.seal(value, at: place, version: 1))
            try db.cachedStatement(sql: "INSERT INTO wallet VALUES (?, ?, 1, ?)")
                .execute(arguments: [collection, key, sealed])
            return
        case .replace(_, let value, let version):
            let (next, overflows) = version.addingReportingOverflow(1)
            guard !overflows else { throw conflict(place) }
            let sealed = Data(try cipher.seal(value, at: place, version: next))
            try db.cachedStatement(
                sql: "UPDATE wallet SET version = ?, value = ? WHERE collection = ? AND key = ? AND version = ?"
            ).execute(
                arguments: [Int64(bitPattern: next), sealed, collection, key, Int64(bitPattern: version)]
            )
        case .remove(_, let version):
            try db.cachedStatement(sql: "DELETE FROM wallet WHERE collection = ? AND key = ? AND version = ?")
                .execute(arguments: [collection, key, Int64(bitPattern: version)])
        }
        guard db.changesCount == 1 else { throw conflict(place) }
    }

    private static func conflict(_ place: StoragePlace) -> CredentialStoreError {
        CredentialStoreError(
            .storageConflict,
            "the value was changed or removed meanwhile",
            path: [place.collection.description]
        )
    }

    /// Closes the file when the calls under way have ended; later ones are refused.
    public func close() { file.close() }

    private func queue() throws(CredentialStoreError) -> DatabaseQueue {
        guard let queue = file.queue else {
            throw CredentialStoreError(.storageFailed, "the storage is closed", path: [file.name])
        }
        return queue
    }
}

extension CredentialStoreError {
    /// The error of a storage for one of the database.
    fileprivate init(sqlite error: any Error, in file: String) {
        if let error = error as? CredentialStoreError {
            self = error
            return
        }
        switch SQLiteFailure(error).kind {
        case .cancelled: self.init(.cancelled, "the task was cancelled", path: [file], cause: error)
        case .conflict: self.init(.storageConflict, "there is a value already", path: [file], cause: error)
        case .damaged: self.init(.storageDamaged, "the file is no sound database", path: [file], cause: error)
        default: self.init(.storageFailed, "the database is busy, closed or failed", path: [file], cause: error)
        }
    }
}
#endif
