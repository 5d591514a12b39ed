#if SQLite
package import CredentialServing
import Foundation
import GRDB
import SQLiteFiles

/// The statements over the tables of sessions.
///
/// Each runs in a transaction of its caller.
package enum SessionRecord {
    /// The number of the tables' layout, kept as `user_version`.
    static let layout = 1

    private static let columns = "sessions.key, secondary, value, expiry, generation, number"

    /// Refuses a library without `STRICT` tables, by its number.
    package static func checkLibrary(number: CInt) throws(SessionStoreError) {
        try SQLiteVersion(number: number).requireStrictTables { SessionStoreError(.invalidConfiguration, $0) }
    }

    /// Creates the tables of a new file, and refuses a file of another layout.
    static func createTables(_ db: Database, path: String) throws {
        let header = try SQLiteHeader(db)
        if header.version == layout, try db.tableExists("sessions") { return }
        try header.requireNewFile { SessionStoreError(.invalidConfiguration, $0, path: [path]) }
        try db.execute(
            sql: """
                CREATE TABLE sessions (
                    id INTEGER PRIMARY KEY,
                    key BLOB NOT NULL UNIQUE,
                    secondary BLOB NOT NULL,
                    value BLOB NOT NULL,
                    expiry INTEGER NOT NULL,
                    generation INTEGER NOT NULL,
                    number INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX sessions_expiry ON sessions (expiry);
                CREATE TABLE secondary_keys (
                    key BLOB NOT NULL PRIMARY KEY,
                    session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX secondary_keys_session ON secondary_keys (session);
                PRAGMA user_version = \(layout);
                """
        )
    }

    /// Writes a page of the file without a change of what is in it.
    static func touch(_ db: Database) throws {
        try db.execute(sql: "PRAGMA user_version = \(layout)")
    }

    static func entry(_ db: Database, for key: SessionKey, at now: Int64) throws -> SessionEntry? {
        try entry(db, "SELECT \(columns) FROM sessions WHERE key = ? AND expiry > ?", key, now)
    }

    static func entry(_ db: Database, forSecondaryKey key: SessionKey, at now: Int64) throws -> SessionEntry? {
        try entry(
            db,
            """
            SELECT \(columns) FROM secondary_keys JOIN sessions ON sessions.id = session
            WHERE secondary_keys.key = ? AND expiry > ?
            """,
            key,
            now
        )
    }

    private static func entry(_ db: Database, _ sql: String, _ key: SessionKey, _ now: Int64) throws -> SessionEntry? {
        let statement = try db.cachedStatement(sql: sql)
        guard let row = try Row.fetchOne(statement, arguments: [Data(key.bytes), now]) else { return nil }
        return try entry(row)
    }

    private static func entry(_ row: Row) throws -> SessionEntry {
        let key = try row.withUnsafeData(atIndex: 0) { Array($0 ?? Data()) }
        let secondary = try row.withUnsafeData(atIndex: 1) { try SessionKeyList.decoded(Array($0 ?? Data())) }
        let value = try row.withUnsafeData(atIndex: 2) { Array($0 ?? Data()) }
        let generation: Int64 = row[4]
        let number: Int64 = row[5]
        return SessionEntry(
            key: SessionKey(bytes: key),
            secondaryKeys: secondary,
            value: value,
            expiryMilliseconds: row[3],
            version: SessionVersion(
                generation: UInt64(bitPattern: generation),
                number: UInt64(bitPattern: number)
            )
        )
    }

    /// Inserts a session, in place of expired ones with the same keys.
    static func insert(_ db: Database, _ entry: SessionEntry, at now: Int64) throws {
        let removal = try db.cachedStatement(sql: "DELETE FROM sessions WHERE key = ? AND expiry <= ?")
        try removal.execute(arguments: [Data(entry.key.bytes), now])
        let secondaryRemoval = try db.cachedStatement(
            sql: """
                DELETE FROM sessions WHERE expiry <= ? AND id = (SELECT session FROM secondary_keys WHERE key = ?)
                """
        )
        for key in entry.secondaryKeys { try secondaryRemoval.execute(arguments: [now, Data(key.bytes)]) }
        let insertion = try db.cachedStatement(
            sql: """
                INSERT INTO sessions (key, secondary, value, expiry, generation, number) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """
        )
        try insertion.execute(arguments: [
            Data(entry.key.bytes), Data(SessionKeyList.encoded(entry.secondaryKeys)), Data(entry.value),
            entry.expiryMilliseconds,
            Int64(bitPattern: entry.version.generation), Int64(bitPattern: entry.version.number),
        ])
        guard db.changesCount == 1 else { throw SessionStoreError(.keyExists, "a session with the key exists") }
        let session = db.lastInsertedRowID
        let secondaryInsertion = try db.cachedStatement(
            sql: "INSERT INTO secondary_keys (key, session) VALUES (?, ?) ON CONFLICT DO NOTHING"
        )
        for key in entry.secondaryKeys {
            try secondaryInsertion.execute(arguments: [Data(key.bytes), session])
            guard db.changesCount == 1 else {
                throw SessionStoreError(.secondaryKeyExists, "a session with one of the secondary keys exists")
            }
        }
    }

    /// Replaces the value and the expiry of a session of the same version.
    static func swap(_ db: Database, _ entry: SessionEntry, at now: Int64) throws -> SessionEntry {
        let next = try entry.version.next()
        let statement = try db.cachedStatement(
            sql: """
                UPDATE sessions SET value = ?, expiry = ?, number = ?
                WHERE key = ? AND generation = ? AND number = ? AND expiry > ?
                """
        )
        try statement.execute(arguments: [
            Data(entry.value), entry.expiryMilliseconds, Int64(bitPattern: next.number), Data(entry.key.bytes),
            Int64(bitPattern: entry.version.generation), Int64(bitPattern: entry.version.number), now,
        ])
        guard db.changesCount != 1 else { return entry.with(version: next) }
        guard let current = try self.entry(db, for: entry.key, at: now) else {
            throw SessionStoreError(.notFound, "no session to swap")
        }
        throw SessionStoreError(.conflict, "the session is at \(current.version), not at \(entry.version)")
    }

    /// Deletes a live session; `false` for an unknown or expired key.
    static func delete(_ db: Database, _ key: SessionKey, version: SessionVersion?, at now: Int64) throws -> Bool {
        if let version {
            guard let current = try entry(db, for: key, at: now) else { return false }
            guard current.version == version else {
                throw SessionStoreError(.conflict, "the session is at \(current.version)")
            }
        }
        let statement = try db.cachedStatement(sql: "DELETE FROM sessions WHERE key = ? AND expiry > ?")
        try statement.execute(arguments: [Data(key.bytes), now])
        return db.changesCount == 1
    }

    /// Removes expired sessions, and returns their number.
    static func sweep(_ db: Database, atMost count: Int, at now: Int64) throws -> Int {
        let statement = try db.cachedStatement(
            sql: "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expiry <= ? LIMIT ?)"
        )
        try statement.execute(arguments: [now, count])
        return db.changesCount
    }
}
#endif
