#if SQLite
import GRDB
import KeyshareServer

/// The statements over whole accounts: for the operator's pages, and for periodic tasks.
///
/// Each runs in a transaction of its caller.
enum UpkeepRecord {
    static func summary(_ db: Database, of username: String, at now: Int64?) throws -> KeyshareAccountSummary? {
        let row = try Row.fetchOne(
            db,
            sql: "SELECT language, coredata IS NULL FROM users WHERE username = ?",
            arguments: [username]
        )
        guard let row else { return nil }
        return KeyshareAccountSummary(
            username: username,
            language: row[0],
            emails: try EmailRecord.emails(db, of: username, at: now),
            isBeingDeleted: row[1]
        )
    }

    static func markSeen(_ db: Database, _ username: String, at now: Int64) throws -> Bool {
        try db.execute(
            sql: """
                UPDATE users SET last_seen = ?, version = version + 1,
                    delete_on = CASE WHEN coredata IS NOT NULL THEN NULL ELSE delete_on END
                WHERE username = ?
                """,
            arguments: [now, username]
        )
        return db.changesCount > 0
    }

    static func scheduleDeletion(_ db: Database, of username: String, on time: Int64) throws -> Bool {
        try db.execute(
            sql: """
                UPDATE users SET coredata = NULL, delete_on = ?, version = version + 1
                WHERE username = ? AND coredata IS NOT NULL
                """,
            arguments: [time, username]
        )
        return db.changesCount > 0
    }

    static func deleteExpiredTokens(_ db: Database, at now: Int64) throws {
        try db.execute(sql: "DELETE FROM email_login_tokens WHERE expiry < ?", arguments: [now])
        try db.execute(sql: "DELETE FROM email_verification_tokens WHERE expiry < ?", arguments: [now])
    }

    static func deleteExpiredEmails(_ db: Database, at now: Int64) throws {
        try db.execute(sql: "DELETE FROM emails WHERE delete_on < ?", arguments: [now])
    }

    static func deleteExpiredAccounts(_ db: Database, at now: Int64, unusedFor delay: Int64) throws {
        try db.execute(
            sql: "DELETE FROM users WHERE delete_on < ? AND (coredata IS NULL OR last_seen < delete_on - ?)",
            arguments: [now, delay]
        )
    }

    static func unusedAccounts(
        _ db: Database,
        since time: Int64,
        atMost count: Int
    ) throws -> [KeyshareAccountSummary] {
        let names = try String.fetchAll(
            db,
            sql: """
                SELECT username FROM users
                WHERE last_seen < ? AND delete_on IS NULL
                    AND EXISTS (SELECT 1 FROM emails WHERE user_id = users.id)
                    AND NOT EXISTS (SELECT 1 FROM emails WHERE user_id = users.id AND revalidate_on IS NOT NULL)
                ORDER BY id LIMIT ?
                """,
            arguments: [time, count]
        )
        return try names.compactMap { try summary(db, of: $0, at: nil) }
    }

    static func scheduleDeletion(
        _ db: Database,
        ofUnused username: String,
        since lastUse: Int64,
        on time: Int64
    ) throws -> Bool {
        try db.execute(
            sql: """
                UPDATE users SET delete_on = ?, version = version + 1
                WHERE username = ? AND last_seen < ? AND delete_on IS NULL
                """,
            arguments: [time, username, lastUse]
        )
        return db.changesCount > 0
    }
}
#endif
