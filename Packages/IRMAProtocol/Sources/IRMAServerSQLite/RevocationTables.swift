#if SQLite
import Foundation
import GRDB
import IRMAServer
import IdemixCore
import SQLiteFiles

/// The statements over the tables of a revocation authority.
///
/// Each runs in a transaction of its caller.
enum RevocationTables {
    /// The number of the tables' layout, kept as `user_version`.
    static let layout = 1
    /// Marks a file of revocation records, kept as `application_id`: "IRMR".
    static let application = 0x4952_4d52

    /// Creates the tables of a new file, and refuses a file of another kind or layout.
    static func create(_ db: Database, path: String) throws {
        let header = try SQLiteHeader(db)
        if header.version == layout, header.application == application { return }
        try header.requireNewFile { IRMAServerError(.invalidConfiguration, $0, path: [path]) }
        try db.execute(
            sql: """
                CREATE TABLE accumulator_records (
                    cred_type TEXT NOT NULL,
                    data BLOB NOT NULL,
                    pk_counter INTEGER NOT NULL,
                    PRIMARY KEY (cred_type, pk_counter)
                ) STRICT;
                CREATE TABLE event_records (
                    eventindex INTEGER NOT NULL,
                    cred_type TEXT NOT NULL,
                    pk_counter INTEGER NOT NULL,
                    e BLOB NOT NULL,
                    parent_hash BLOB NOT NULL,
                    PRIMARY KEY (cred_type, pk_counter, eventindex)
                ) STRICT;
                CREATE TABLE issuance_records (
                    revocationkey TEXT NOT NULL,
                    cred_type TEXT NOT NULL,
                    issued INTEGER NOT NULL,
                    pk_counter INTEGER NOT NULL,
                    attr BLOB NOT NULL,
                    valid_until INTEGER NOT NULL,
                    revoked_at INTEGER NOT NULL DEFAULT 0,
                    PRIMARY KEY (revocationkey, cred_type, issued)
                ) STRICT;
                CREATE INDEX issuance_records_valid_until_index ON issuance_records (valid_until);
                PRAGMA application_id = \(application);
                PRAGMA user_version = \(layout);
                """
        )
    }

    static func keyCounters(_ db: Database, _ type: CredentialTypeIdentifier) throws -> [UInt] {
        try Int64.fetchAll(
            db,
            sql: "SELECT pk_counter FROM accumulator_records WHERE cred_type = ? ORDER BY pk_counter",
            arguments: [type.text]
        ).compactMap { UInt(exactly: $0) }
    }

    static func accumulator(
        _ db: Database,
        _ type: CredentialTypeIdentifier,
        _ keyCounter: UInt,
        lastEvents count: Int
    ) throws -> RevocationUpdate? {
        guard let signed = try signedAccumulator(db, type, keyCounter) else { return nil }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT eventindex, e, parent_hash FROM event_records
                WHERE cred_type = ? AND pk_counter = ? ORDER BY eventindex DESC LIMIT ?
                """,
            arguments: [type.text, Int64(keyCounter), RevocationRows.limit(count)]
        )
        return RevocationUpdate(
            signedAccumulator: signed,
            events: try RevocationRows.list(rows.reversed().map { try event($0) })
        )
    }

    private static func signedAccumulator(
        _ db: Database,
        _ type: CredentialTypeIdentifier,
        _ keyCounter: UInt
    ) throws -> SignedAccumulator? {
        // No row has a counter that its column does not take.
        guard let counter = Int64(exactly: keyCounter) else { return nil }
        let data = try Data.fetchOne(
            db,
            sql: "SELECT data FROM accumulator_records WHERE cred_type = ? AND pk_counter = ?",
            arguments: [type.text, counter]
        )
        return try data.map { try RevocationRows.accumulator(data: Array($0), keyCounter: keyCounter) }
    }

    private static func event(_ row: Row) throws -> RevocationEvent {
        let (prime, parent): (Data, Data) = (row[1], row[2])
        return try RevocationRows.Event(index: row[0], prime: Array(prime), parent: Array(parent)).event()
    }

    static func events(
        _ db: Database,
        _ type: CredentialTypeIdentifier,
        _ keyCounter: UInt,
        in range: Range<UInt64>
    ) throws -> RevocationEventList? {
        let range = RevocationRows.limit(range)
        guard let counter = Int64(exactly: keyCounter) else { return nil }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT eventindex, e, parent_hash FROM event_records
                WHERE cred_type = ? AND pk_counter = ? AND eventindex >= ? AND eventindex < ? ORDER BY eventindex
                """,
            arguments: [type.text, counter, Int64(clamping: range.lowerBound), Int64(clamping: range.upperBound)]
        )
        return try RevocationRows.list(rows.map { try event($0) })
    }

    static func replace(
        _ db: Database,
        with update: RevocationUpdate,
        _ type: CredentialTypeIdentifier,
        _ keyCounter: UInt,
        expecting previous: SignedAccumulator?
    ) throws {
        let counter = try RevocationRows.number(keyCounter)
        let stored = try accumulator(db, type, keyCounter, lastEvents: 1)
        guard stored?.signedAccumulator == previous else { throw RevocationRows.conflict(type) }
        let last = try stored?.events?.events().last
        for event in try RevocationRows.events(of: update, keyCounter: keyCounter, after: last) {
            try db.execute(
                sql: """
                    INSERT INTO event_records (eventindex, cred_type, pk_counter, e, parent_hash)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    try RevocationRows.number(event.index), type.text, counter, Data(event.prime.bytes),
                    Data(event.parent.bytes),
                ]
            )
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO accumulator_records (cred_type, data, pk_counter) VALUES (?, ?, ?)",
            arguments: [type.text, Data(RevocationRows.data(of: update.signedAccumulator)), counter]
        )
    }

    static func revoke(_ db: Database, _ record: IssuanceRecord, at time: Int64) throws {
        try db.execute(
            sql: """
                UPDATE issuance_records SET revoked_at = ?
                WHERE revocationkey = ? AND cred_type = ? AND issued = ? AND revoked_at = 0
                """,
            arguments: [time, record.revocationKey, record.credentialType.text, record.issued]
        )
    }

    static func add(_ db: Database, _ row: RevocationRows.Issuance) throws {
        try db.execute(
            sql: """
                INSERT INTO issuance_records
                    (revocationkey, cred_type, issued, pk_counter, attr, valid_until, revoked_at)
                VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
            arguments: [
                row.revocationKey, row.credentialType, row.issued, row.keyCounter, Data(row.attribute),
                row.validUntil, row.revokedAt,
            ]
        )
        guard db.changesCount == 1 else {
            throw RevocationRows.conflict(CredentialTypeIdentifier(row.credentialType))
        }
    }

    static func records(
        _ db: Database,
        _ type: CredentialTypeIdentifier,
        _ revocationKey: String
    ) throws -> [IssuanceRecord] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT issued, pk_counter, attr, valid_until, revoked_at FROM issuance_records
                WHERE revocationkey = ? AND cred_type = ? ORDER BY issued
                """,
            arguments: [revocationKey, type.text]
        ).map { row in
            let attribute: Data = row[2]
            return try RevocationRows.Issuance(
                revocationKey: revocationKey,
                credentialType: type.text,
                issued: row[0],
                keyCounter: row[1],
                attribute: Array(attribute),
                validUntil: row[3],
                revokedAt: row[4]
            ).record()
        }
    }
}
#endif
