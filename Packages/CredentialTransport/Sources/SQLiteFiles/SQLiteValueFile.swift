#if SQLite
public import GRDB
import Synchronization

/// A wallet's file of encrypted values, open until it is closed.
///
/// The table `wallet` has a row for each value, with its collection, its key there and its version.
/// A change is on the disk when its transaction has ended; the content of removed rows is overwritten.
public final class SQLiteValueFile: Sendable {
    /// The last component of the path, for messages.
    public let name: String
    /// The connection, until the file is closed; it lives as long as a call uses it.
    private let connection: Mutex<DatabaseQueue?>

    /// The number of the table's layout, kept as `user_version`.
    private static let layout = 1

    /// Opens a file, and creates the table of a new one.
    ///
    /// - Parameters:
    ///   - file: The file, which exists.
    ///   - busyTimeout: The time that a call waits for another process.
    ///   - refusal: Makes the error for a file of another kind from a message.
    public init<Refusal: Error>(
        opening file: SQLiteFile,
        busyTimeout: Duration,
        _ refusal: (String) -> Refusal
    ) throws {
        name = file.name
        let pragmas = "PRAGMA secure_delete = ON; PRAGMA synchronous = EXTRA"
        let queue = try DatabaseQueue(path: file.path, configuration: Configuration("wallet", busyTimeout, pragmas))
        try queue.write { db in try Self.createTable(db, refusal) }
        connection = Mutex(queue)
    }

    private static func createTable<Refusal: Error>(_ db: Database, _ refusal: (String) -> Refusal) throws {
        let header = try SQLiteHeader(db)
        if header.version == layout, try isWallet(db) { return }
        try header.requireNewFile(refusal)
        try db.execute(
            sql: """
                CREATE TABLE wallet (
                    collection INTEGER NOT NULL,
                    key BLOB NOT NULL,
                    version INTEGER NOT NULL,
                    value BLOB NOT NULL,
                    PRIMARY KEY (collection, key)
                ) STRICT, WITHOUT ROWID;
                PRAGMA user_version = \(layout);
                """
        )
    }

    private static func isWallet(_ db: Database) throws -> Bool {
        guard try db.tableExists("wallet") else { return false }
        return try db.columns(in: "wallet").map(\.name) == ["collection", "key", "version", "value"]
    }

    /// The connection, or `nil` after the file was closed.
    public var queue: DatabaseQueue? { connection.withLock { $0 } }

    /// Closes the file when the calls under way have ended.
    public func close() { connection.withLock { $0 = nil } }
}
#endif
