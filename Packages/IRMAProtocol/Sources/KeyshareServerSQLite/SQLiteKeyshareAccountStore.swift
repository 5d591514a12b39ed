#if SQLite
import GRDB
public import KeyshareServer
import SQLiteFiles

/// Accounts in an SQLite file, for all processes of one machine.
///
/// A change is in the file when its call returns, and survives a crash of the process and the machine. Tables and columns are
/// those of the reference's PostgreSQL schema, with a column for the version. The file is readable by its owner only; the
/// accounts' secrets in it are sealed.
public final class SQLiteKeyshareAccountStore: KeyshareAccountStore {
    /// The number of the tables' layout, kept as `user_version`; a file of an earlier one is extended when it is opened.
    public static let layout = AccountRecord.layout

    private let pool: DatabasePool
    private let name: String

    /// Opens a file, or creates it.
    ///
    /// - Parameters:
    ///   - path: The path of the file, on a local disk. Two files beside it have the suffixes `-wal` and `-shm`.
    ///   - busyTimeout: The time that a writer waits for writers of other processes before it is refused.
    /// - Throws: `KeyshareServerError`: `invalidConfiguration` for a file of another kind and for SQLite before 3.37,
    ///   `storeUnavailable` if the
    ///   file cannot be opened.
    public init(path: String, busyTimeout: Duration = .seconds(5)) throws(KeyshareServerError) {
        let file = try SQLiteFile(path: path) { KeyshareServerError(.invalidConfiguration, $0) }
        try Self.checkLibrary(number: Database.sqliteLibVersionNumber)
        name = file.name
        try file.create { KeyshareServerError(.storeUnavailable, $0, path: [file.name]) }
        do {
            pool = try file.openPool(
                label: "keyshare accounts",
                busyTimeout: busyTimeout,
                // An account outlives the machine's power; what is deleted is overwritten.
                pragmas: "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON"
            ) { db in try AccountRecord.createTables(db, path: file.name) }
        } catch {
            throw KeyshareServerError(sqlite: error, in: file.name)
        }
    }

    /// Refuses a library without `STRICT` tables, by its number.
    package static func checkLibrary(number: CInt) throws(KeyshareServerError) {
        try SQLiteVersion(number: number).requireStrictTables { KeyshareServerError(.invalidConfiguration, $0) }
    }

    /// Inserts an account.
    public func insert(_ account: KeyshareAccount) async throws(KeyshareServerError) {
        try account.checkSizes()
        try await write { db in try AccountRecord.insert(db, account) }
    }

    /// The account with a name, or nil.
    public func account(named username: String) async throws(KeyshareServerError) -> StoredKeyshareAccount? {
        guard KeyshareAccount.isName(username) else { return nil }
        return try await read { db in try AccountRecord.account(db, named: username) }
    }

    /// Replaces the fields of an account, if its version is still the one that was read.
    @discardableResult
    public func update(
        _ account: StoredKeyshareAccount,
        recording events: [KeyshareAccountEvent]
    ) async throws(KeyshareServerError) -> StoredKeyshareAccount {
        try account.account.checkSizes()
        return try await write { db in try AccountRecord.update(db, account, recording: events) }
    }

    /// Deletes an account with its events, addresses and tokens.
    @discardableResult
    public func delete(_ username: String) async throws(KeyshareServerError) -> Bool {
        guard KeyshareAccount.isName(username) else { return false }
        return try await write { db in try AccountRecord.delete(db, username) }
    }

    /// The last events of an account, the latest first.
    public func events(
        of username: String,
        skipping offset: Int,
        atMost count: Int
    ) async throws(KeyshareServerError) -> [KeyshareAccountEvent] {
        guard KeyshareAccount.isName(username) else { return [] }
        return try await read { db in
            try AccountRecord.events(db, of: username, skipping: max(0, offset), atMost: max(0, count))
        }
    }

    /// Throws an error if the file cannot be read.
    public func check() async throws(KeyshareServerError) {
        _ = try await read { db in try Int.fetchOne(db, sql: "SELECT id FROM users LIMIT 1") }
    }

    /// Closes the file, after the work that is under way.
    public func close() throws(KeyshareServerError) {
        do { try pool.close() } catch { throw KeyshareServerError(sqlite: error, in: name) }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(KeyshareServerError) -> Value {
        do { return try await pool.write(body) } catch { throw KeyshareServerError(sqlite: error, in: name) }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(KeyshareServerError) -> Value {
        do { return try await pool.read(body) } catch { throw KeyshareServerError(sqlite: error, in: name) }
    }
}

extension KeyshareServerError {
    /// The error of a store for one of the database.
    fileprivate init(sqlite error: any Error, in file: String) {
        if let error = error as? KeyshareServerError {
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
