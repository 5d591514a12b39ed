#if PostgreSQL
import IRMAPostgreSQL
import IRMAServer
import IdemixCore

/// The statements over the reference's tables of a revocation authority.
enum RevocationStatements {
    /// Creates the tables as the reference does, unless they exist.
    static func createTables(_ db: borrowing PostgreSQLTransaction) throws {
        let found = try db.execute(
            """
            SELECT count(*) FROM unnest(ARRAY['accumulator_records', 'event_records', 'issuance_records']) AS name
            WHERE to_regclass(quote_ident(name)) IS NOT NULL
            """
        )
        if try found.rows.first?.integer(0) == 3 { return }
        // Of processes that start at once, one creates the tables.
        try db.execute("SELECT pg_advisory_xact_lock($1)", .integer(lock))
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS event_records (
                eventindex bigint, cred_type text, pk_counter bigint, e bytea, parent_hash bytea,
                PRIMARY KEY (eventindex, cred_type, pk_counter)
            )
            """
        )
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS accumulator_records (
                cred_type text, data bytea, pk_counter bigint, PRIMARY KEY (cred_type, pk_counter)
            )
            """
        )
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS issuance_records (
                revocationkey text, cred_type text, issued bigint, pk_counter bigint, attr bytea, valid_until bigint,
                revoked_at bigint, PRIMARY KEY (revocationkey, cred_type, issued)
            )
            """
        )
    }

    /// The number of the lock under which tables are created: "IRMAREVO".
    private static let lock: Int64 = 0x4952_4d41_5245_564f

    static func check(_ db: borrowing PostgreSQLTransaction) throws {
        try db.execute("SELECT data FROM accumulator_records LIMIT 0")
        try db.execute("SELECT e FROM event_records LIMIT 0")
        try db.execute("SELECT attr FROM issuance_records LIMIT 0")
    }

    static func keyCounters(
        _ db: borrowing PostgreSQLTransaction,
        _ type: CredentialTypeIdentifier
    ) throws -> [UInt] {
        try db.execute(
            "SELECT pk_counter FROM accumulator_records WHERE cred_type = $1 ORDER BY pk_counter",
            .text(type.text)
        ).rows.compactMap { UInt(exactly: try $0.integer(0)) }
    }

    static func accumulator(
        _ db: borrowing PostgreSQLTransaction,
        _ type: CredentialTypeIdentifier,
        _ keyCounter: UInt,
        lastEvents count: Int
    ) throws -> RevocationUpdate? {
        // No row has a counter that its column does not take.
        guard let counter = Int64(exactly: keyCounter) else { return nil }
        let found = try db.execute(
            "SELECT data FROM accumulator_records WHERE cred_type = $1 AND pk_counter = $2",
            .text(type.text),
            .integer(counter)
        )
        guard let row = found.rows.first else { return nil }
        return RevocationUpdate(
            signedAccumulator: try RevocationRows.accumulator(data: row.bytes(0), keyCounter: keyCounter),
            events: try RevocationRows.list(try lastEvents(db, type, counter, RevocationRows.limit(count)))
        )
    }

    private static func lastEvents(
        _ db: borrowing PostgreSQLTransaction,
        _ type: CredentialTypeIdentifier,
        _ counter: Int64,
        _ count: Int
    ) throws -> [RevocationEvent] {
        try db.execute(
            """
            SELECT eventindex, e, parent_hash FROM event_records
            WHERE cred_type = $1 AND pk_counter = $2 ORDER BY eventindex DESC LIMIT $3
            """,
            .text(type.text),
            .integer(counter),
            .integer(Int64(count))
        ).rows.reversed().map(event)
    }

    private static func event(_ row: PostgreSQLRow) throws -> RevocationEvent {
        try RevocationRows.Event(index: row.integer(0), prime: row.bytes(1), parent: row.bytes(2)).event()
    }

    static func events(
        _ db: borrowing PostgreSQLTransaction,
        _ type: CredentialTypeIdentifier,
        _ keyCounter: UInt,
        in range: Range<UInt64>
    ) throws -> RevocationEventList? {
        let range = RevocationRows.limit(range)
        guard let counter = Int64(exactly: keyCounter) else { return nil }
        let found = try db.execute(
            """
            SELECT eventindex, e, parent_hash FROM event_records
            WHERE cred_type = $1 AND pk_counter = $2 AND eventindex >= $3 AND eventindex < $4 ORDER BY eventindex
            """,
            .text(type.text),
            .integer(counter),
            .integer(Int64(clamping: range.lowerBound)),
            .integer(Int64(clamping: range.upperBound))
        )
        return try RevocationRows.list(found.rows.map(event))
    }

    static func replace(
        _ db: borrowing PostgreSQLTransaction,
        with update: RevocationUpdate,
        _ type: CredentialTypeIdentifier,
        _ keyCounter: UInt,
        expecting previous: SignedAccumulator?
    ) throws {
        let counter = try RevocationRows.number(keyCounter)
        // The lock keeps other writers, the reference's among them, from this accumulator and its events.
        let locked = try db.execute(
            "SELECT data FROM accumulator_records WHERE cred_type = $1 AND pk_counter = $2 FOR UPDATE",
            .text(type.text),
            .integer(counter)
        )
        let stored = try locked.rows.first.map { row in
            try RevocationRows.accumulator(data: row.bytes(0), keyCounter: keyCounter)
        }
        guard stored == previous else { throw RevocationRows.conflict(type) }
        let last = stored == nil ? nil : try lastEvents(db, type, counter, 1).last
        let added = try RevocationRows.events(of: update, keyCounter: keyCounter, after: last)
        let data = PostgreSQLValue.bytes(RevocationRows.data(of: update.signedAccumulator))
        if stored == nil {
            // Of two first ones at once, the second waits here for the first to be committed.
            let inserted = try db.execute(
                "INSERT INTO accumulator_records (cred_type, data, pk_counter) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                .text(type.text),
                data,
                .integer(counter)
            )
            guard inserted.count == 1 else { throw RevocationRows.conflict(type) }
        } else {
            try db.execute(
                "UPDATE accumulator_records SET data = $2 WHERE cred_type = $1 AND pk_counter = $3",
                .text(type.text),
                data,
                .integer(counter)
            )
        }
        for event in added {
            try db.execute(
                """
                INSERT INTO event_records (eventindex, cred_type, pk_counter, e, parent_hash)
                VALUES ($1, $2, $3, $4, $5)
                """,
                .integer(try RevocationRows.number(event.index)),
                .text(type.text),
                .integer(counter),
                .bytes(event.prime.bytes),
                .bytes(event.parent.bytes)
            )
        }
    }

    static func revoke(
        _ db: borrowing PostgreSQLTransaction,
        _ record: IssuanceRecord,
        at time: Int64
    ) throws {
        guard RevocationRows.isName(record.revocationKey) else { return }
        try db.execute(
            """
            UPDATE issuance_records SET revoked_at = $1
            WHERE revocationkey = $2 AND cred_type = $3 AND issued = $4 AND coalesce(revoked_at, 0) = 0
            """,
            .integer(time),
            .text(record.revocationKey),
            .text(record.credentialType.text),
            .integer(record.issued)
        )
    }

    static func add(_ db: borrowing PostgreSQLTransaction, _ row: RevocationRows.Issuance) throws {
        let added = try db.execute(
            """
            INSERT INTO issuance_records
                (revocationkey, cred_type, issued, pk_counter, attr, valid_until, revoked_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING
            """,
            .text(row.revocationKey),
            .text(row.credentialType),
            .integer(row.issued),
            .integer(row.keyCounter),
            .bytes(row.attribute),
            .integer(row.validUntil),
            .integer(row.revokedAt)
        )
        guard added.count == 1 else {
            throw RevocationRows.conflict(CredentialTypeIdentifier(row.credentialType))
        }
    }

    static func records(
        _ db: borrowing PostgreSQLTransaction,
        _ type: CredentialTypeIdentifier,
        _ revocationKey: String
    ) throws -> [IssuanceRecord] {
        try db.execute(
            """
            SELECT issued, pk_counter, attr, valid_until, revoked_at FROM issuance_records
            WHERE revocationkey = $1 AND cred_type = $2 ORDER BY issued
            """,
            .text(revocationKey),
            .text(type.text)
        ).rows.map { row in
            try RevocationRows.Issuance(
                revocationKey: revocationKey,
                credentialType: type.text,
                issued: row.integer(0),
                keyCounter: row.integer(1),
                attribute: row.bytes(2),
                validUntil: row.integer(3),
                revokedAt: row.optionalInteger(4) ?? 0
            ).record()
        }
    }
}
#endif
