#if Server
import CommandSupport
import CredentialServing
import CredentialServingOperations
import KeyshareServer
import KeyshareServerSQLite

#if PostgreSQL
import IRMAPostgreSQL
import KeyshareServerPostgreSQL
#endif

/// Makes the store of accounts that a configuration names.
enum AccountStoreFactory {
    static let database = ConfigurationKey.choice(
        "db_type",
        of: ["memory", "sqlite", "postgres", "mysql"],
        default: "postgres",
        help: """
            Place of the accounts: memory, which a restart empties and production mode refuses, sqlite or postgres. MySQL is not \
            supported.
            """
    )
    static let address = ConfigurationKey.secret(
        "db_str",
        help: "Address of the database: for sqlite the path of the file, for postgres a connection string of libpq."
    )
    private static let maximumConnections = ConfigurationKey.integer(
        "db_max_open",
        in: 0...Int(Int32.max),
        help: "Largest number of connections to PostgreSQL; 8 without it, or with 0."
    )
    private static let otherLimits = ["db_max_idle", "db_max_idle_time", "db_max_open_time"].map { name in
        ConfigurationKey.integer(
            name,
            in: 0...Int(Int32.max),
            help: "Without effect; accepted from configurations of the reference."
        )
    }

    static let keys =
        [database.declaration, address.declaration, maximumConnections.declaration] + otherLimits.map(\.declaration)

    /// The store, with its tables.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - isCheck: Indicates that no database is to be opened: the store is empty.
    ///   - clock: The clock of the back-off.
    /// - Throws: ``ToolError`` for a kind that the build does not have and for accounts in memory in production mode, which a
    ///   restart would lock out of their credentials; `KeyshareServerError`.
    static func make(
        _ configuration: ServerConfiguration,
        isCheck: Bool = false,
        clock: SessionClock
    ) async throws -> any KeyshareEmailStore {
        let kind = try configuration.value(of: database)
        try UnsupportedKeyshareSettings.refuse(in: [(database.declaration.name, kind)])
        switch kind {
        case "sqlite": return try sqlite(configuration, isCheck: isCheck)
        case "postgres": return try await postgreSQL(configuration, isCheck: isCheck, clock: clock)
        default:
            guard try !configuration.value(of: ServerKeys.isProduction) else {
                throw ToolError("db_type: production mode keeps the accounts in sqlite or postgres")
            }
            return MemoryKeyshareAccountStore()
        }
    }

    private static func sqlite(
        _ configuration: ServerConfiguration,
        isCheck: Bool
    ) throws -> any KeyshareEmailStore {
        #if SQLite
        guard let path = try configuration.valueIfPresent(of: address) else {
            throw ToolError("db_str: db_type sqlite needs the path of a file")
        }
        guard !isCheck else { return MemoryKeyshareAccountStore() }
        return try path.withValue { try SQLiteKeyshareAccountStore(path: $0) }
        #else
        throw ToolError("db_type: this build has no SQLite: build it with the trait SQLite")
        #endif
    }

    private static func postgreSQL(
        _ configuration: ServerConfiguration,
        isCheck: Bool,
        clock: SessionClock
    ) async throws -> any KeyshareEmailStore {
        #if PostgreSQL
        let accounts = try PostgreSQLKeyshareAccountStore(configuration: postgreSQL(configuration), clock: clock)
        guard !isCheck else { return MemoryKeyshareAccountStore() }
        try await accounts.createTables()
        return accounts
        #else
        throw ToolError("db_type: this build has no PostgreSQL: build it with the trait PostgreSQL")
        #endif
    }

    #if PostgreSQL
    /// The settings of the connections to PostgreSQL.
    static func postgreSQL(_ configuration: ServerConfiguration) throws -> PostgreSQLConfiguration {
        guard let address = try configuration.valueIfPresent(of: address) else {
            throw ToolError("db_str: db_type postgres needs a connection string")
        }
        var settings = address.withValue { PostgreSQLConfiguration(connectionString: $0) }
        if let number = try configuration.valueIfPresent(of: maximumConnections), number > 0 {
            settings.maximumConnections = number
        }
        return settings
    }
    #endif
}
#endif
