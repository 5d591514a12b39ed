#if PostgreSQL
public import CredentialServing
// The settings come with the store.
@_exported public import IRMAPostgreSQL
public import IRMAServer
public import IdemixCore

/// The records of a revocation authority in PostgreSQL, for any number of processes on any number of machines.
///
/// The tables are those that the reference makes, so that its database is read and continued. Each change locks the
/// accumulator that it replaces, as the reference does, so that the events of a key stay one chain. While the server is away,
/// calls are refused; where a change was sent to be committed and not answered, the message says so.
public final class PostgreSQLRevocationRecords: RevocationRecords {
    private let pool: PostgreSQLPool

    /// Records in a database, to which the first call connects.
    ///
    /// - Parameters:
    ///   - configuration: The database, and the limits.
    ///   - clock: The clock of the back-off.
    ///   - jitter: A random number from 0 to 1 for each back-off.
    /// - Throws: `IRMAServerError`: `invalidConfiguration`.
    public init(
        configuration: PostgreSQLConfiguration,
        clock: SessionClock = .system,
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) throws(IRMAServerError) {
        do { pool = try PostgreSQLPool(configuration, clock: clock, jitter: jitter) } catch {
            throw IRMAServerError(postgreSQL: error)
        }
    }

    /// Creates the tables that are missing, as the reference does when it starts; it changes none.
    ///
    /// If all tables exist, the user needs no right to create any.
    public func createTables() async throws(IRMAServerError) {
        try await transaction(.change) { db in try RevocationStatements.createTables(db) }
    }

    /// The counters of the keys of which there are accumulators for a type.
    public func keyCounters(of type: CredentialTypeIdentifier) async throws(IRMAServerError) -> [UInt] {
        try await transaction(.read) { db in try RevocationStatements.keyCounters(db, type) }
    }

    /// The accumulator of a key with its last events, or nil.
    public func accumulator(
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        lastEvents count: Int
    ) async throws(IRMAServerError) -> RevocationUpdate? {
        try await transaction(.read) { db in
            try RevocationStatements.accumulator(db, type, keyCounter, lastEvents: count)
        }
    }

    /// The events of a key with indices in a range, as far as there are any, or nil for none.
    public func events(
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        in range: Range<UInt64>
    ) async throws(IRMAServerError) -> RevocationEventList? {
        try await transaction(.read) { db in try RevocationStatements.events(db, type, keyCounter, in: range) }
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
        try await transaction(.change) { db in
            try RevocationStatements.replace(db, with: update, type, keyCounter, expecting: previous)
            for record in records { try RevocationStatements.revoke(db, record, at: time) }
        }
    }

    /// Adds the record of a credential.
    public func add(_ record: IssuanceRecord) async throws(IRMAServerError) {
        let row = try RevocationRows.Issuance(record)
        try await transaction(.change) { db in try RevocationStatements.add(db, row) }
    }

    /// The records of a type with an issuer's name for the credential, by the time of their issuance.
    public func records(
        of type: CredentialTypeIdentifier,
        revocationKey: String
    ) async throws(IRMAServerError) -> [IssuanceRecord] {
        guard RevocationRows.isName(revocationKey) else { return [] }
        return try await transaction(.read) { db in try RevocationStatements.records(db, type, revocationKey) }
    }

    /// Deletes the records of credentials that have expired.
    @discardableResult
    public func deleteExpired(before time: Int64) async throws(IRMAServerError) -> Int {
        try await transaction(.change) { db in
            try db.execute("DELETE FROM issuance_records WHERE valid_until < $1", .integer(time)).count
        }
    }

    /// Throws an error if the tables cannot be read.
    public func check() async throws(IRMAServerError) {
        try await transaction(.read) { db in try RevocationStatements.check(db) }
    }

    /// Closes the connections, and refuses everything from now on.
    public func close() {
        pool.close()
    }

    private func transaction<Value: Sendable>(
        _ access: PostgreSQLAccess,
        _ body: @escaping @Sendable (borrowing PostgreSQLTransaction) throws -> Value
    ) async throws(IRMAServerError) -> Value {
        do { return try await pool.transaction(access, body) } catch { throw IRMAServerError(postgreSQL: error) }
    }
}

extension IRMAServerError {
    /// The error of a store for one of the database.
    fileprivate init(postgreSQL error: any Error) {
        self.init(postgreSQL: error, otherwise: .storeUnavailable) { code in
            switch code {
            case .invalidConfiguration: .invalidConfiguration
            case .cancelled: .cancelled
            case .damaged: .storeDamaged
            case .missingTable: .missingTables
            case .constraint: .conflict
            case .invalidValue: .revocationFailed
            default: nil
            }
        }
    }
}
#endif
