#if SQLite
public import GRDB

extension SQLiteFile {
    /// Opens the file for one writer and readers beside it, with a write-ahead log.
    ///
    /// - Parameters:
    ///   - label: The name of the connections, for debuggers.
    ///   - busyTimeout: The time that a call waits for other processes; ``SQLiteTimeout`` bounds it.
    ///   - pragmas: The settings of each connection, in SQL.
    ///   - createTables: Creates the tables of a new file, and refuses a file of another kind.
    public func openPool(
        label: String,
        busyTimeout: Duration,
        pragmas: String,
        createTables: (Database) throws -> Void
    ) throws -> DatabasePool {
        let pool = try DatabasePool(path: path, configuration: Configuration(label, busyTimeout, pragmas))
        try pool.write { db in try createTables(db) }
        return pool
    }
}

extension SQLiteFile {
    /// Reads the numbers of a file that is there, and changes nothing.
    ///
    /// - Parameter busyTimeout: The time that the call waits for other processes.
    /// - Throws: The database's error, for ``SQLiteFailure`` to read.
    public func header(busyTimeout: Duration = .seconds(5)) throws -> SQLiteHeader {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(SQLiteTimeout.seconds(busyTimeout))
        return try DatabaseQueue(path: path, configuration: configuration).read { db in try SQLiteHeader(db) }
    }
}

extension Configuration {
    /// The configuration of the connections of a store.
    init(_ label: String, _ busyTimeout: Duration, _ pragmas: String) {
        self.init()
        self.label = label
        busyMode = .timeout(SQLiteTimeout.seconds(busyTimeout))
        prepareDatabase { db in try db.execute(sql: pragmas) }
    }
}
#endif
