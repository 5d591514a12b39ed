#if PostgreSQL
import IRMAPostgreSQL
import KeyshareServer

/// The statements over whole accounts: for the operator's pages, and for periodic tasks.
enum UpkeepStatements {
    static func summary(
        _ db: borrowing PostgreSQLTransaction,
        of username: String,
        at now: Int64?
    ) throws -> KeyshareAccountSummary? {
        let found = try db.execute(
            "SELECT language, CASE WHEN coredata IS NULL THEN 1 ELSE 0 END FROM irma.users WHERE username = $1",
            .text(username)
        )
        guard let row = found.rows.first else { return nil }
        return KeyshareAccountSummary(
            username: username,
            language: try row.text(0),
            emails: try EmailStatements.emails(db, of: username, at: now),
            isBeingDeleted: try row.integer(1) == 1
        )
    }

    static func markSeen(_ db: borrowing PostgreSQLTransaction, _ username: String, at now: Int64) throws -> Bool {
        try db.execute(
            """
            UPDATE irma.users SET last_seen = $2,
                delete_on = CASE WHEN coredata IS NOT NULL THEN NULL ELSE delete_on END
            WHERE username = $1
            """,
            .text(username),
            .integer(now)
        ).count > 0
    }

    static func scheduleDeletion(
        _ db: borrowing PostgreSQLTransaction,
        of username: String,
        on time: Int64
    ) throws -> Bool {
        try db.execute(
            "UPDATE irma.users SET coredata = NULL, delete_on = $2 WHERE username = $1 AND coredata IS NOT NULL",
            .text(username),
            .integer(time)
        ).count > 0
    }

    static func deleteExpiredTokens(_ db: borrowing PostgreSQLTransaction, at now: Int64) throws {
        try db.execute("DELETE FROM irma.email_login_tokens WHERE expiry < $1", .integer(now))
        try db.execute("DELETE FROM irma.email_verification_tokens WHERE expiry < $1", .integer(now))
    }

    static func deleteExpiredEmails(_ db: borrowing PostgreSQLTransaction, at now: Int64) throws {
        try db.execute("DELETE FROM irma.emails WHERE delete_on < $1", .integer(now))
    }

    static func deleteExpiredAccounts(
        _ db: borrowing PostgreSQLTransaction,
        at now: Int64,
        unusedFor delay: Int64
    ) throws {
        try db.execute(
            "DELETE FROM irma.users WHERE delete_on < $1 AND (coredata IS NULL OR last_seen < delete_on - $2)",
            .integer(now),
            .integer(delay)
        )
    }

    static func unusedAccounts(
        _ db: borrowing PostgreSQLTransaction,
        since time: Int64,
        atMost count: Int
    ) throws -> [KeyshareAccountSummary] {
        let names = try db.execute(
            """
            SELECT username FROM irma.users
            WHERE last_seen < $1 AND delete_on IS NULL
                AND EXISTS (SELECT 1 FROM irma.emails WHERE user_id = users.id)
                AND NOT EXISTS (
                    SELECT 1 FROM irma.emails
                    WHERE user_id = users.id AND to_jsonb(emails) ->> 'revalidate_on' IS NOT NULL
                )
            ORDER BY id LIMIT $2
            """,
            .integer(time),
            .integer(Int64(count))
        ).rows.map { row in try row.text(0) }
        var accounts: [KeyshareAccountSummary] = []
        for name in names {
            if let summary = try summary(db, of: name, at: nil) { accounts.append(summary) }
        }
        return accounts
    }

    static func scheduleDeletion(
        _ db: borrowing PostgreSQLTransaction,
        ofUnused username: String,
        since lastUse: Int64,
        on time: Int64
    ) throws -> Bool {
        try db.execute(
            "UPDATE irma.users SET delete_on = $3 WHERE username = $1 AND last_seen < $2 AND delete_on IS NULL",
            .text(username),
            .integer(lastUse),
            .integer(time)
        ).count > 0
    }
}
#endif
