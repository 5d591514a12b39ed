#if PostgreSQL
import IRMAPostgreSQL
import KeyshareServer

/// The statements over the reference's tables of accounts.
enum AccountStatements {
    /// Creates schema and tables as the reference's `schema.sql` does, unless they exist.
    static func createTables(_ db: borrowing PostgreSQLTransaction) throws {
        let found = try db.execute(
            """
            SELECT count(*) FROM unnest(ARRAY[
                'irma.users', 'irma.log_entry_records', 'irma.emails', 'irma.email_verification_tokens',
                'irma.email_login_tokens'
            ]) AS name
            WHERE to_regclass(name) IS NOT NULL
            """
        )
        if try found.rows.first?.integer(0) == 5 { return }
        // Of processes that start at once, one creates the tables.
        try db.execute("SELECT pg_advisory_xact_lock($1)", .integer(lock))
        try db.execute("CREATE SCHEMA IF NOT EXISTS irma")
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS irma.users (
                id serial PRIMARY KEY, username text NOT NULL, language text NOT NULL, coredata bytea,
                last_seen bigint NOT NULL, pin_counter int NOT NULL, pin_block_date bigint NOT NULL, delete_on bigint
            )
            """
        )
        try db.execute("CREATE UNIQUE INDEX IF NOT EXISTS username_index ON irma.users (username)")
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS irma.log_entry_records (
                id serial PRIMARY KEY, time bigint NOT NULL, event text NOT NULL, param text,
                user_id int NOT NULL REFERENCES irma.users (id) ON DELETE CASCADE
            )
            """
        )
        try db.execute(
            """
            CREATE INDEX IF NOT EXISTS log_entry_records_user_id_index ON irma.log_entry_records (user_id, time)
            """
        )
        try EmailStatements.createTables(db)
    }

    /// The number of the lock under which tables are created: "IRMAKEYS".
    private static let lock: Int64 = 0x4952_4d41_4b45_5953

    static func check(_ db: borrowing PostgreSQLTransaction) throws {
        try db.execute("SELECT coredata FROM irma.users LIMIT 0")
        try db.execute("SELECT event FROM irma.log_entry_records LIMIT 0")
    }

    static func insert(_ db: borrowing PostgreSQLTransaction, _ account: KeyshareAccount) throws {
        let inserted = try db.execute(
            """
            INSERT INTO irma.users (username, language, coredata, last_seen, pin_counter, pin_block_date, delete_on)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING
            """,
            .text(account.username),
            .text(account.language),
            .bytes(account.coreData),
            .integer(account.lastSeen),
            .integer(account.pinCounter),
            .integer(account.pinBlockDate),
            .optional(account.deleteOn)
        )
        guard inserted.count == 1 else { throw KeyshareServerError(.nameTaken, "an account with the name exists") }
    }

    static func account(
        _ db: borrowing PostgreSQLTransaction,
        named username: String
    ) throws -> StoredKeyshareAccount? {
        let found = try db.execute(
            """
            SELECT id, username, language, coredata, last_seen, pin_counter, pin_block_date, delete_on,
                xmin::text::bigint
            FROM irma.users WHERE username = $1 AND coredata IS NOT NULL
            """,
            .text(username)
        )
        guard let row = found.rows.first else { return nil }
        let account = KeyshareAccount(
            username: try row.text(1),
            language: try row.text(2),
            coreData: try row.bytes(3),
            lastSeen: try row.integer(4),
            pinCounter: try row.integer(5),
            pinBlockDate: try row.integer(6),
            deleteOn: try row.optionalInteger(7)
        )
        let version = KeyshareAccountVersion(id: try row.integer(0), number: try row.integer(8))
        return StoredKeyshareAccount(account, version: version)
    }

    static func update(
        _ db: borrowing PostgreSQLTransaction,
        _ stored: StoredKeyshareAccount,
        recording events: [KeyshareAccountEvent]
    ) throws -> StoredKeyshareAccount {
        let account = stored.account
        // Where another writer holds the row, the condition is judged again after that one is committed.
        let updated = try db.execute(
            """
            UPDATE irma.users SET language = $1, coredata = $2, last_seen = $3, pin_counter = $4, pin_block_date = $5,
                delete_on = $6
            WHERE id = $7 AND username = $8 AND xmin::text::bigint = $9 AND coredata IS NOT NULL
            RETURNING xmin::text::bigint
            """,
            .text(account.language),
            .bytes(account.coreData),
            .integer(account.lastSeen),
            .integer(account.pinCounter),
            .integer(account.pinBlockDate),
            .optional(account.deleteOn),
            .integer(stored.version.id),
            .text(account.username),
            .integer(stored.version.number)
        )
        guard let row = updated.rows.first else {
            guard try self.account(db, named: account.username) == nil else {
                throw KeyshareServerError(.conflict, "the account was changed")
            }
            throw KeyshareServerError(.accountNotFound, "no account to update")
        }
        for event in events {
            try db.execute(
                "INSERT INTO irma.log_entry_records (time, event, param, user_id) VALUES ($1, $2, $3, $4)",
                .integer(event.time),
                .text(event.kind.name),
                .optional(event.parameter),
                .integer(stored.version.id)
            )
        }
        let version = KeyshareAccountVersion(id: stored.version.id, number: try row.integer(0))
        return StoredKeyshareAccount(account, version: version)
    }

    static func events(
        _ db: borrowing PostgreSQLTransaction,
        of username: String,
        skipping offset: Int,
        atMost count: Int
    ) throws -> [KeyshareAccountEvent] {
        try db.execute(
            """
            SELECT event, time, param FROM irma.log_entry_records
            WHERE user_id = (SELECT id FROM irma.users WHERE username = $1)
            ORDER BY time DESC, id DESC LIMIT $2 OFFSET $3
            """,
            .text(username),
            .integer(Int64(count)),
            .integer(Int64(offset))
        ).rows.map { row in
            KeyshareAccountEvent(
                KeyshareAccountEvent.Kind(try row.text(0)),
                at: try row.integer(1),
                text: try row.optionalText(2)
            )
        }
    }
}
#endif
