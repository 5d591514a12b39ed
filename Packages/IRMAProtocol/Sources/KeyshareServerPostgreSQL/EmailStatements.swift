#if PostgreSQL
import IRMAPostgreSQL
import KeyshareServer

/// The statements over the reference's tables of addresses and tokens.
enum EmailStatements {
    /// Creates the tables as the reference's `schema.sql` does, unless they exist.
    static func createTables(_ db: borrowing PostgreSQLTransaction) throws {
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS irma.email_verification_tokens (
                id serial PRIMARY KEY, token text NOT NULL, email text NOT NULL, expiry bigint NOT NULL,
                user_id int NOT NULL REFERENCES irma.users (id) ON DELETE CASCADE
            )
            """
        )
        try db.execute(
            """
            CREATE UNIQUE INDEX IF NOT EXISTS email_verification_token_index
            ON irma.email_verification_tokens (token)
            """
        )
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS irma.email_login_tokens (
                id serial PRIMARY KEY, token text NOT NULL, email text NOT NULL, expiry bigint NOT NULL
            )
            """
        )
        try db.execute(
            "CREATE UNIQUE INDEX IF NOT EXISTS email_login_token_index ON irma.email_login_tokens (token)"
        )
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS irma.emails (
                id serial PRIMARY KEY, user_id int NOT NULL REFERENCES irma.users (id) ON DELETE CASCADE,
                email text NOT NULL, revalidate_on bigint, delete_on bigint
            )
            """
        )
        try db.execute("CREATE INDEX IF NOT EXISTS email_index ON irma.emails (email)")
        try db.execute("CREATE INDEX IF NOT EXISTS email_userid_index ON irma.emails (user_id)")
        try db.execute("CREATE UNIQUE INDEX IF NOT EXISTS email_constraint_index ON irma.emails (user_id, email)")
    }

    // MARK: Tokens

    static func insertVerificationToken(
        _ db: borrowing PostgreSQLTransaction,
        _ token: KeyshareEmailToken,
        of username: String,
        limit: KeyshareTokenLimit
    ) throws {
        try lock(db, token.address)
        let counted = try db.execute(
            "SELECT count(*) FROM irma.email_verification_tokens WHERE email = $1 AND expiry > $2",
            .text(token.address),
            .integer(token.expiry - limit.interval)
        )
        try check(counted, limit)
        let inserted = try db.execute(
            """
            INSERT INTO irma.email_verification_tokens (token, email, expiry, user_id)
            SELECT $1, $2, $3, id FROM irma.users WHERE username = $4
            """,
            .text(token.token),
            .text(token.address),
            .integer(token.expiry),
            .text(username)
        )
        guard inserted.count == 1 else { throw KeyshareServerError.unknownAccount }
    }

    static func redeemVerificationToken(
        _ db: borrowing PostgreSQLTransaction,
        _ token: String,
        at now: Int64
    ) throws -> String? {
        let deleted = try db.execute(
            """
            WITH redeemed AS (
                DELETE FROM irma.email_verification_tokens WHERE token = $1 AND expiry >= $2 RETURNING user_id, email
            ) SELECT username, email FROM redeemed JOIN irma.users ON users.id = user_id
            """,
            .text(token),
            .integer(now)
        )
        guard let row = deleted.rows.first else { return nil }
        let username = try row.text(0)
        try addEmail(db, try row.text(1), to: username)
        return username
    }

    static func insertLoginToken(
        _ db: borrowing PostgreSQLTransaction,
        _ token: KeyshareEmailToken,
        limit: KeyshareTokenLimit,
        at now: Int64
    ) throws {
        try lock(db, token.address)
        let known = try db.execute(
            "SELECT 1 FROM irma.emails WHERE email = $1 AND (delete_on >= $2 OR delete_on IS NULL) LIMIT 1",
            .text(token.address),
            .integer(now)
        )
        guard !known.rows.isEmpty else { throw KeyshareServerError(.addressNotFound, "an address of no account") }
        let counted = try db.execute(
            "SELECT count(*) FROM irma.email_login_tokens WHERE email = $1 AND expiry > $2",
            .text(token.address),
            .integer(token.expiry - limit.interval)
        )
        try check(counted, limit)
        try db.execute(
            "INSERT INTO irma.email_login_tokens (token, email, expiry) VALUES ($1, $2, $3)",
            .text(token.token),
            .text(token.address),
            .integer(token.expiry)
        )
    }

    static func loginCandidates(
        _ db: borrowing PostgreSQLTransaction,
        _ token: String,
        at now: Int64
    ) throws -> [KeyshareLoginCandidate] {
        try db.execute(
            """
            SELECT username, last_seen FROM irma.users JOIN irma.emails ON users.id = emails.user_id
            WHERE (emails.delete_on >= $2 OR emails.delete_on IS NULL)
                AND email = (SELECT email FROM irma.email_login_tokens WHERE token = $1 AND expiry >= $2)
            ORDER BY users.id
            """,
            .text(token),
            .integer(now)
        ).rows.map { row in KeyshareLoginCandidate(username: try row.text(0), lastSeen: try row.integer(1)) }
    }

    static func redeemLoginToken(
        _ db: borrowing PostgreSQLTransaction,
        _ token: String,
        for username: String,
        at now: Int64
    ) throws -> Bool {
        let deleted = try db.execute(
            """
            DELETE FROM irma.email_login_tokens AS tokens WHERE token = $1 AND expiry >= $3 AND EXISTS (
                SELECT 1 FROM irma.users JOIN irma.emails ON users.id = emails.user_id
                WHERE username = $2 AND emails.email = tokens.email
                    AND (emails.delete_on >= $3 OR emails.delete_on IS NULL)
            )
            """,
            .text(token),
            .text(username),
            .integer(now)
        )
        return deleted.count == 1
    }

    /// Makes those that count the tokens of an address do so one after the other.
    private static func lock(_ db: borrowing PostgreSQLTransaction, _ address: String) throws {
        try db.execute("SELECT pg_advisory_xact_lock($1::int, hashtext($2))", .integer(lockSpace), .text(address))
    }

    /// The space of the locks on addresses: "MAIL".
    private static let lockSpace: Int64 = 0x4d41_494c

    private static func check(_ counted: PostgreSQLResult, _ limit: KeyshareTokenLimit) throws {
        let count = try counted.rows.first?.integer(0) ?? 0
        guard count < Int64(limit.count) else {
            throw KeyshareServerError(.tooManyTokens, "\(count) tokens were mailed to the address")
        }
    }

    // MARK: Addresses

    /// The addresses of an account.
    ///
    /// - Parameter now: The time up to which the deletion of an address must not be due; nil for all addresses.
    static func emails(
        _ db: borrowing PostgreSQLTransaction,
        of username: String,
        at now: Int64?
    ) throws -> [KeyshareEmail] {
        // Older databases of the reference have no column `revalidate_on`.
        try db.execute(
            """
            SELECT email, (to_jsonb(emails) ->> 'revalidate_on')::bigint, emails.delete_on
            FROM irma.emails JOIN irma.users ON users.id = user_id
            WHERE username = $1 AND (emails.delete_on >= $2 OR emails.delete_on IS NULL OR $2::bigint IS NULL)
            ORDER BY emails.id
            """,
            .text(username),
            .optional(now)
        ).rows.map { row in
            KeyshareEmail(
                try row.text(0),
                revalidateOn: try row.optionalInteger(1),
                deleteOn: try row.optionalInteger(2)
            )
        }
    }

    static func addEmail(_ db: borrowing PostgreSQLTransaction, _ address: String, to username: String) throws {
        // The account is locked, so that one of two that add an address finds it.
        let account = try db.execute("SELECT id FROM irma.users WHERE username = $1 FOR UPDATE", .text(username))
        guard let id = try account.rows.first?.integer(0) else { throw KeyshareServerError.unknownAccount }
        let restored = try db.execute(
            "UPDATE irma.emails SET delete_on = NULL WHERE user_id = $1 AND email = $2",
            .integer(id),
            .text(address)
        )
        guard restored.count == 0 else { return }
        try db.execute(
            "INSERT INTO irma.emails (user_id, email) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            .integer(id),
            .text(address)
        )
    }

    static func scheduleDeletion(
        _ db: borrowing PostgreSQLTransaction,
        ofEmail address: String,
        of username: String,
        on time: Int64
    ) throws -> Bool {
        try db.execute(
            """
            UPDATE irma.emails SET delete_on = $3 WHERE email = $2 AND delete_on IS NULL
                AND user_id = (SELECT id FROM irma.users WHERE username = $1)
            """,
            .text(username),
            .text(address),
            .integer(time)
        ).count > 0
    }
}
#endif
