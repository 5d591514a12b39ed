#if SQLite
import GRDB
import KeyshareServer

/// The statements over the tables of addresses and tokens, which came with the second layout.
///
/// Each runs in a transaction of its caller.
enum EmailRecord {
    /// Creates the tables in a file that has the others.
    static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE email_verification_tokens (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    token TEXT NOT NULL UNIQUE,
                    email TEXT NOT NULL,
                    expiry INTEGER NOT NULL,
                    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE
                ) STRICT;
                CREATE TABLE email_login_tokens (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    token TEXT NOT NULL UNIQUE,
                    email TEXT NOT NULL,
                    expiry INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE emails (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                    email TEXT NOT NULL,
                    revalidate_on INTEGER,
                    delete_on INTEGER,
                    UNIQUE (user_id, email)
                ) STRICT;
                CREATE INDEX email_index ON emails (email);
                CREATE INDEX email_verification_tokens_email_index ON email_verification_tokens (email);
                CREATE INDEX email_login_tokens_email_index ON email_login_tokens (email);
                PRAGMA user_version = \(AccountRecord.layout);
                """
        )
    }

    // MARK: Tokens

    static func insertVerificationToken(
        _ db: Database,
        _ token: KeyshareEmailToken,
        of username: String,
        limit: KeyshareTokenLimit
    ) throws {
        let id = try accountID(db, username)
        let count = try Int.fetchOne(
            db,
            sql: "SELECT count(*) FROM email_verification_tokens WHERE email = ? AND expiry > ?",
            arguments: [token.address, token.expiry - limit.interval]
        )
        try check(count, limit)
        try db.execute(
            sql: "INSERT INTO email_verification_tokens (token, email, expiry, user_id) VALUES (?, ?, ?, ?)",
            arguments: [token.token, token.address, token.expiry, id]
        )
    }

    static func redeemVerificationToken(_ db: Database, _ token: String, at now: Int64) throws -> String? {
        let found = try Row.fetchOne(
            db,
            sql: """
                SELECT username, email FROM email_verification_tokens JOIN users ON users.id = user_id
                WHERE token = ? AND expiry >= ?
                """,
            arguments: [token, now]
        )
        guard let found else { return nil }
        let username: String = found[0]
        try addEmail(db, found[1], to: username)
        try db.execute(sql: "DELETE FROM email_verification_tokens WHERE token = ?", arguments: [token])
        return username
    }

    static func insertLoginToken(
        _ db: Database,
        _ token: KeyshareEmailToken,
        limit: KeyshareTokenLimit,
        at now: Int64
    ) throws {
        let isKnown = try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM emails WHERE email = ? AND (delete_on >= ? OR delete_on IS NULL))",
            arguments: [token.address, now]
        )
        guard isKnown == true else { throw KeyshareServerError(.addressNotFound, "an address of no account") }
        let count = try Int.fetchOne(
            db,
            sql: "SELECT count(*) FROM email_login_tokens WHERE email = ? AND expiry > ?",
            arguments: [token.address, token.expiry - limit.interval]
        )
        try check(count, limit)
        try db.execute(
            sql: "INSERT INTO email_login_tokens (token, email, expiry) VALUES (?, ?, ?)",
            arguments: [token.token, token.address, token.expiry]
        )
    }

    static func loginCandidates(
        _ db: Database,
        _ token: String,
        at now: Int64
    ) throws -> [KeyshareLoginCandidate] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT username, last_seen FROM users JOIN emails ON users.id = emails.user_id
                WHERE (emails.delete_on >= :now OR emails.delete_on IS NULL)
                    AND email = (SELECT email FROM email_login_tokens WHERE token = :token AND expiry >= :now)
                ORDER BY users.id
                """,
            arguments: ["token": token, "now": now]
        )
        return rows.map { KeyshareLoginCandidate(username: $0[0], lastSeen: $0[1]) }
    }

    static func redeemLoginToken(
        _ db: Database,
        _ token: String,
        for username: String,
        at now: Int64
    ) throws -> Bool {
        try db.execute(
            sql: """
                DELETE FROM email_login_tokens WHERE token = :token AND expiry >= :now AND EXISTS (
                    SELECT 1 FROM users JOIN emails ON users.id = emails.user_id
                    WHERE username = :username AND emails.email = email_login_tokens.email
                        AND (emails.delete_on >= :now OR emails.delete_on IS NULL)
                )
                """,
            arguments: ["token": token, "username": username, "now": now]
        )
        return db.changesCount == 1
    }

    private static func check(_ count: Int?, _ limit: KeyshareTokenLimit) throws {
        guard let count, count < limit.count else {
            throw KeyshareServerError(.tooManyTokens, "\(count ?? 0) tokens were mailed to the address")
        }
    }

    // MARK: Addresses

    /// The addresses of an account.
    ///
    /// - Parameter now: The time up to which the deletion of an address must not be due; nil for all addresses.
    static func emails(_ db: Database, of username: String, at now: Int64?) throws -> [KeyshareEmail] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT email, revalidate_on, emails.delete_on FROM emails JOIN users ON users.id = user_id
                WHERE username = :username
                    AND (emails.delete_on >= :now OR emails.delete_on IS NULL OR :now IS NULL)
                ORDER BY emails.id
                """,
            arguments: ["username": username, "now": now]
        )
        return rows.map { KeyshareEmail($0[0], revalidateOn: $0[1], deleteOn: $0[2]) }
    }

    static func addEmail(_ db: Database, _ address: String, to username: String) throws {
        try db.execute(
            sql: """
                INSERT INTO emails (user_id, email) VALUES (?, ?)
                ON CONFLICT (user_id, email) DO UPDATE SET delete_on = NULL
                """,
            arguments: [try accountID(db, username), address]
        )
    }

    static func scheduleDeletion(
        _ db: Database,
        ofEmail address: String,
        of username: String,
        on time: Int64
    ) throws -> Bool {
        try db.execute(
            sql: """
                UPDATE emails SET delete_on = :time WHERE email = :address AND delete_on IS NULL
                    AND user_id = (SELECT id FROM users WHERE username = :username)
                """,
            arguments: ["username": username, "address": address, "time": time]
        )
        return db.changesCount > 0
    }

    private static func accountID(_ db: Database, _ username: String) throws -> Int64 {
        let id = try Int64.fetchOne(db, sql: "SELECT id FROM users WHERE username = ?", arguments: [username])
        guard let id else { throw KeyshareServerError.unknownAccount }
        return id
    }
}
#endif
