#if SQLite
import GRDB
public import IRMAServer
public import IdemixCore
import SQLiteFiles

/// The records of a revocation authority in an SQLite file, for all processes of one machine.
///
/// A change is in the file when its call returns, and survives a crash of the process and the machine. Tables, columns and
/// encodings are those of the reference's databases. The file is readable by its owner only.
public final class SQLiteRevocationRecords: RevocationRecords {
    private let pool: DatabasePool
    private let name: String

    /// Opens a file, or creates it.
    ///
    /// - Parameters:
    ///   - path: The path of the file, on a local disk. Two files beside it have the suffixes `-wal` and `-shm`.
    ///   - busyTimeout: The time that a writer waits for writers of other processes before it is refused.
    /// - Throws: `IRMAServerError`: `invalidConfiguration` for a file of another kind and for SQLite before 3.37,
    ///   `storeDamaged` for a file that is not a sound database, `storeUnavailable` if it cannot be opened.
    public init(path: String, busyTimeout: Duration = .seconds(5)) throws(IRMAServerError) {
        let file = try SQLiteFile(path: path) { IRMAServerError(.invalidConfiguration, $0) }
        try Self.checkLibrary(number: Database.sqliteLibVersionNumber)
        name = file.name
        try file.create { IRMAServerError(.storeUnavailable, $0, path: [file.name]) }
        do {
            pool = try file.openPool(
                label: "revocation records",
                busyTimeout: busyTimeout,
                // A credential that was revoked stays so after the machine lost its power.
                pragmas: "PRAGMA synchronous = FULL"
            ) { db in try RevocationTables.create(db, path: file.name) }
        } catch {
            throw IRMAServerError(sqlite: error, in: file.name)
        }
    }

    /// Refuses a library without `STRICT` tables, by its number.
    package static func checkLibrary(number: CInt) throws(IRMAServerError) {
        try SQLiteVersion(number: number).requireStrictTables { IRMAServerError(.invalidConfiguration, $0) }
    }

    /// The counters of the keys of which there are accumulators for a type.
    public func keyCounters(of type: CredentialTypeIdentifier) async throws(IRMAServerError) -> [UInt] {
        try await read { db in try RevocationTables.keyCounters(db, type) }
    }

    /// The accumulator of a key with its last events, or nil.
    public func accumulator(
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        lastEvents count: Int
    ) async throws(IRMAServerError) -> RevocationUpdate? {
        try await read { db in try RevocationTables.accumulator(db, type, keyCounter, lastEvents: count) }
    }

    /// The events of a key with indices in a range, as far as there are any, or nil for none.
    public func events(
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        in range: Range<UInt64>
    ) async throws(IRMAServerError) -> RevocationEventList? {
        try await read { db in try RevocationTables.events(db, type, keyCounter, in: range) }
    }

    /// Puts an accumulator in the place of the one that it was made from.
    public func replace(
        with update: RevocationUpdate,
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        expecting previous: SignedAccumulator?,
        revoking records: [IssuanceRecord],
        at time: Int64
    ) async throws(IRMAServerError) {
        try await write { db in
            try RevocationTables.replace(db, with: update, type, keyCounter, expecting: previous)
            for record in records { try RevocationTables.revoke(db, record, at: time) }
        }
    }

    /// Adds the record of a credential.
    public func add(_ record: IssuanceRecord) async throws(IRMAServerError) {
        let row = try RevocationRows.Issuance(record)
        try await write { db in try RevocationTables.add(db, row) }
    }

    /// The records of a type with an issuer's name for the credential, by the time of their issuance.
    public func records(
        of type: CredentialTypeIdentifier,
        revocationKey: String
    ) async throws(IRMAServerError) -> [IssuanceRecord] {
        guard RevocationRows.isName(revocationKey) else { return [] }
        return try await read { db in try RevocationTables.records(db, type, revocationKey) }
    }

    /// Deletes the records of credentials that have expired.
    @discardableResult
    public func deleteExpired(before time: Int64) async throws(IRMAServerError) -> Int {
        try await write { db in
            try db.execute(sql: "DELETE FROM issuance_records WHERE valid_until < ?", arguments: [time])
            return db.changesCount
        }
    }

    /// Throws an error if the file cannot be read.
    public func check() async throws(IRMAServerError) {
        _ = try await read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM accumulator_records") }
    }

    /// Closes the file, after the work that is under way.
    public func close() throws(IRMAServerError) {
        do { try pool.close() } catch { throw IRMAServerError(sqlite: error, in: name) }
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(IRMAServerError) -> Value {
        do { return try await pool.write(body) } catch { throw IRMAServerError(sqlite: error, in: name) }
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(IRMAServerError) -> Value {
        do { return try await pool.read(body) } catch { throw IRMAServerError(sqlite: error, in: name) }
    }
}

extension IRMAServerError {
    /// The error of a store for one of the database.
    fileprivate init(sqlite error: any Error, in file: String) {
        if let error = error as? IRMAServerError {
            self = error
            return
        }
        let failure = SQLiteFailure(error)
        let code: Code =
            switch failure.kind {
            case .cancelled: .cancelled
            case .damaged: .storeDamaged
            default: .storeUnavailable
            }
        self.init(code, failure.message, path: [file])
    }
}
#endif
