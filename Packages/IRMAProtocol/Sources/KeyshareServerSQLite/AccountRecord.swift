#if SQLite
import Foundation
import GRDB
import KeyshareServer
import SQLiteFiles

/// The statements over the tables of accounts.
///
/// Each runs in a transaction of its caller.
enum AccountRecord {
    /// The number of the tables' layout, kept as `user_version`.
    static let layout = 2
    /// Marks a file of accounts, kept as `application_id`: "KSSA".
    static let application = 0x4b53_5341

    private static let columns =
        "id, username, language, coredata, last_seen, pin_counter, pin_block_date, delete_on, version"

    /// Creates the tables of a new file, and refuses a file of another kind or layout.
    static func createTables(_ db: Database, path: String) throws {
        let header = try SQLiteHeader(db)
        if header.version == layout, header.application == application { return }
        if header.version == 1, header.application == application { return try EmailRecord.createTables(db) }
        try header.requireNewFile { KeyshareServerError(.invalidConfiguration, $0, path: [path]) }
        // An identifier is never used again, so that no version ever fits a later account of the same name.
        try db.execute(
            sql: """
                CREATE TABLE users (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    username TEXT NOT NULL UNIQUE,
                    language TEXT NOT NULL,
                    coredata BLOB,
                    last_seen INTEGER NOT NULL,
                    pin_counter INTEGER NOT NULL,
                    pin_block_date INTEGER NOT NULL,
                    delete_on INTEGER,
                    version INTEGER NOT NULL DEFAULT 1
                ) STRICT;
                CREATE TABLE log_entry_records (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    time INTEGER NOT NULL,
                    event TEXT NOT NULL,
                    param TEXT,
                    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE
                ) STRICT;
                CREATE INDEX log_entry_records_user_id_index ON log_entry_records (user_id, id);
                PRAGMA application_id = \(application);
                """
        )
        try EmailRecord.createTables(db)
    }

    static func insert(_ db: Database, _ account: KeyshareAccount) throws {
        let taken = try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM users WHERE username = ?)",
            arguments: [account.username]
        )
        guard taken == false else { throw KeyshareServerError(.nameTaken, "an account with the name exists") }
        try db.execute(
            sql: """
                INSERT INTO users (username, language, coredata, last_seen, pin_counter, pin_block_date, delete_on)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                account.username, account.language, Data(account.coreData), account.lastSeen, account.pinCounter,
                account.pinBlockDate, account.deleteOn,
            ]
        )
    }

    static func account(_ db: Database, named username: String) throws -> StoredKeyshareAccount? {
        let row = try Row.fetchOne(
            db,
            sql: "SELECT \(columns) FROM users WHERE username = ? AND coredata IS NOT NULL",
            arguments: [username]
        )
        return row.map(Self.stored)
    }

    private static func stored(_ row: Row) -> StoredKeyshareAccount {
        let coreData: Data = row[3]
        let account = KeyshareAccount(
            username: row[1],
            language: row[2],
            coreData: Array(coreData),
            lastSeen: row[4],
            pinCounter: row[5],
            pinBlockDate: row[6],
            deleteOn: row[7]
        )
        return StoredKeyshareAccount(account, version: KeyshareAccountVersion(id: row[0], number: row[8]))
    }

    static func update(
        _ db: Database,
        _ stored: StoredKeyshareAccount,
        recording events: [KeyshareAccountEvent]
    ) throws -> StoredKeyshareAccount {
        let account = stored.account
        try db.execute(
            sql: """
                UPDATE users SET language = ?, coredata = ?, last_seen = ?, pin_counter = ?, pin_block_date = ?,
                    delete_on = ?, version = version + 1
                WHERE id = ? AND username = ? AND version = ? AND coredata IS NOT NULL
                """,
            arguments: [
                account.language, Data(account.coreData), account.lastSeen, account.pinCounter, account.pinBlockDate,
                account.deleteOn, stored.version.id, account.username, stored.version.number,
            ]
        )
        guard db.changesCount == 1 else {
            guard try self.account(db, named: account.username) == nil else {
                throw KeyshareServerError(.conflict, "the account was changed")
            }
            throw KeyshareServerError(.accountNotFound, "no account to update")
        }
        for event in events {
            try db.execute(
                sql: "INSERT INTO log_entry_records (time, event, param, user_id) VALUES (?, ?, ?, ?)",
                arguments: [event.time, event.kind.name, event.parameter, stored.version.id]
            )
        }
        let version = KeyshareAccountVersion(id: stored.version.id, number: stored.version.number + 1)
        return StoredKeyshareAccount(account, version: version)
    }

    static func delete(_ db: Database, _ username: String) throws -> Bool {
        try db.execute(sql: "DELETE FROM users WHERE username = ?", arguments: [username])
        return db.changesCount > 0
    }

    static func events(
        _ db: Database,
        of username: String,
        skipping offset: Int,
        atMost count: Int
    ) throws -> [KeyshareAccountEvent] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT event, time, param FROM log_entry_records
                WHERE user_id = (SELECT id FROM users WHERE username = ?)
                ORDER BY time DESC, id DESC LIMIT ? OFFSET ?
                """,
            arguments: [username, count, offset]
        )
        return rows.map { row in
            KeyshareAccountEvent(KeyshareAccountEvent.Kind(row[0]), at: row[1], text: row[2])
        }
    }
}
#endif
