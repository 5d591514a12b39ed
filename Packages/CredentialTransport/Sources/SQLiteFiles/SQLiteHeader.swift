#if SQLite
public import GRDB

/// The numbers of a file that tell its kind from others.
public struct SQLiteHeader: Hashable, Sendable {
    /// The number of the tables' layout (`user_version`); 0 in a new file.
    public let version: Int
    /// The mark of the store (`application_id`); 0 in a new file, and where a store has none.
    public let application: Int
    /// The number of tables and indices.
    private let contents: Int

    /// Indicates a file without a layout and tables.
    public var isNew: Bool { version == 0 && contents == 0 }

    /// Reads the numbers.
    public init(_ db: Database) throws {
        version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        contents = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
    }

    /// Refuses a file that has a layout or tables already.
    ///
    /// - Parameter refusal: Makes the error of a store from a message.
    public func requireNewFile<Refusal: Error>(_ refusal: (String) -> Refusal) throws(Refusal) {
        guard isNew else { throw refusal("a database of another kind, its user_version is \(version)") }
    }
}
#endif
