#if PostgreSQL
public import CredentialServing
// The settings come with the store.
@_exported public import IRMAPostgreSQL
public import KeyshareServer

/// Accounts in PostgreSQL, for any number of processes on any number of machines.
///
/// The tables are those of the reference's keyshare server, in the schema `irma`, so that its database is read and continued.
/// The version of an account is the number of the transaction that wrote its row (`xmin`),
/// so that a change by the reference's servers is noticed as well. While the server is away, calls are refused; where a
/// change was sent to be committed and not answered, the message says so.
public final class PostgreSQLKeyshareAccountStore: KeyshareAccountStore {
    private let pool: PostgreSQLPool

    /// Accounts in a database, to which the first call connects.
    ///
    /// - Parameters:
    ///   - configuration: The database, and the limits.
    ///   - clock: The clock of the back-off.
    ///   - jitter: A random number from 0 to 1 for each back-off.
    /// - Throws: `KeyshareServerError`: `invalidConfiguration`.
    public init(
        configuration: PostgreSQLConfiguration,
        clock: SessionClock = .system,
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) throws(KeyshareServerError) {
        do { pool = try PostgreSQLPool(configuration, clock: clock, jitter: jitter) } catch {
            throw KeyshareServerError(postgreSQL: error)
        }
    }

    /// Creates the schema and the tables of accounts, their log and their addresses that are missing; it changes none.
    ///
    /// If all tables exist, the user needs no right to create any.
    public func createTables() async throws(KeyshareServerError) {
        try await transaction(.change) { db in try AccountStatements.createTables(db) }
    }

    /// Inserts an account.
    public func insert(_ account: KeyshareAccount) async throws(KeyshareServerError) {
        try account.checkSizes()
        try await transaction(.change) { db in try AccountStatements.insert(db, account) }
    }

    /// The account with a name, or nil.
    public func account(named username: String) async throws(KeyshareServerError) -> StoredKeyshareAccount? {
        guard KeyshareAccount.isName(username) else { return nil }
        return try await transaction(.read) { db in try AccountStatements.account(db, named: username) }
    }

    /// Replaces the fields of an account, if its version is still the one that was read.
    @discardableResult
    public func update(
        _ account: StoredKeyshareAccount,
        recording events: [KeyshareAccountEvent]
    ) async throws(KeyshareServerError) -> StoredKeyshareAccount {
        try account.account.checkSizes()
        return try await transaction(.change) { db in try AccountStatements.update(db, account, recording: events) }
    }

    /// Deletes an account with its events, addresses and tokens.
    @discardableResult
    public func delete(_ username: String) async throws(KeyshareServerError) -> Bool {
        guard KeyshareAccount.isName(username) else { return false }
        return try await transaction(.change) { db in
            try db.execute("DELETE FROM irma.users WHERE username = $1", .text(username)).count > 0
        }
    }

    /// The last events of an account, the latest first.
    public func events(
        of username: String,
        skipping offset: Int,
        atMost count: Int
    ) async throws(KeyshareServerError) -> [KeyshareAccountEvent] {
        guard KeyshareAccount.isName(username) else { return [] }
        return try await transaction(.read) { db in
            try AccountStatements.events(db, of: username, skipping: max(0, offset), atMost: max(0, count))
        }
    }

    /// Throws an error if the tables cannot be read.
    public func check() async throws(KeyshareServerError) {
        try await transaction(.read) { db in try AccountStatements.check(db) }
    }

    /// Closes the connections, and refuses everything from now on.
    public func close() {
        pool.close()
    }

    func transaction<Value: Sendable>(
        _ access: PostgreSQLAccess,
        _ body: @escaping @Sendable (borrowing PostgreSQLTransaction) throws -> Value
    ) async throws(KeyshareServerError) -> Value {
        do { return try await pool.transaction(access, body) } catch { throw KeyshareServerError(postgreSQL: error) }
    }
}

extension KeyshareServerError {
    /// The error of a store for one of the database.
    fileprivate init(postgreSQL error: any Error) {
        self.init(postgreSQL: error, otherwise: .storeUnavailable) { code in
            switch code {
            case .invalidConfiguration: .invalidConfiguration
            case .cancelled: .cancelled
            case .damaged: .storeDamaged
            case .missingTable: .missingTables
            case .invalidValue: .invalidAccount
            default: nil
            }
        }
    }
}
#endif
