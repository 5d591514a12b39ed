#if Server
import CommandSupport
import CredentialServing
import CredentialServingOperations
import IRMAMessages
import IRMAServer
import Logging

#if SQLite
import IRMAServerSQLite
#endif
#if PostgreSQL
import IRMAPostgreSQL
import IRMAServerPostgreSQL
#endif

extension ServerSettings {
    /// The settings of credential types that can be revoked.
    ///
    /// - Throws: ``ToolError`` for an unknown credential type, one that cannot be revoked, and settings that do not go
    ///   together.
    func revocationSettings(
        _ material: ServerMaterial
    ) throws -> [CredentialTypeIdentifier: RevocationSettings] {
        var settings: [CredentialTypeIdentifier: RevocationSettings] = [:]
        for name in configuration.names(in: "revocation_settings") {
            let type = Self.revocationType(named: name, in: material.schemes)
            guard settings[type] == nil else {
                throw ToolError("revocation_settings.\(name): given twice, in two letter cases")
            }
            // Nothing is known of a type whose scheme could not be read.
            if !material.unreadSchemes.contains(type.scheme) {
                guard let description = material.schemes.credentialType(type) else {
                    throw ToolError("revocation_settings.\(name): unknown credential type")
                }
                guard description.revocationIndex != nil else {
                    throw ToolError("revocation_settings.\(name): credentials of this type cannot be revoked")
                }
            }
            do {
                settings[type] = try revocationSettings(named: name)
            } catch let error as IRMAServerError {
                throw ToolError("revocation_settings.\(name): \(error.message)")
            }
        }
        return settings
    }

    /// The credential type of a name in the settings, whose letter case does not count unless two types differ in it alone.
    private static func revocationType(named name: String, in schemes: SchemeSnapshot) -> CredentialTypeIdentifier {
        let type = CredentialTypeIdentifier(name)
        guard schemes.credentialType(type) == nil else { return type }
        let others = schemes.schemes.values.flatMap(\.credentialTypes.keys).filter {
            $0.text.lowercased() == name.lowercased()
        }
        return others.count == 1 ? others[0] : type
    }

    private func revocationSettings(named name: String) throws -> RevocationSettings {
        var role: RevocationRole = []
        if try configuration.value(of: ServerKeys.isRevocationServer, named: name) { role.insert(.server) }
        if try configuration.value(of: ServerKeys.isRevocationAuthority, named: name) { role.insert(.authority) }
        let url = try configuration.valueIfPresent(of: ServerKeys.revocationServerURL, named: name)
        let tolerance = try configuration.value(of: ServerKeys.revocationTolerance, named: name)
        return try RevocationSettings(
            role: role,
            serverURL: url.flatMap { $0.isEmpty ? nil : $0 },
            tolerance: tolerance.components.seconds,
            listensToEvents: try configuration.value(of: ServerKeys.revocationUsesEvents, named: name)
        )
    }

    /// The ages of accumulators that are accepted, for the types that have one of their own.
    func revocationTolerances(_ schemes: SchemeSnapshot) throws -> [CredentialTypeIdentifier: UInt64] {
        var tolerances: [CredentialTypeIdentifier: UInt64] = [:]
        for name in configuration.names(in: "revocation_settings") {
            let tolerance = try configuration.value(of: ServerKeys.revocationTolerance, named: name)
            tolerances[Self.revocationType(named: name, in: schemes)] = UInt64(clamping: tolerance.components.seconds)
        }
        return tolerances
    }

    /// Refuses records that a restart would empty, where credentials could not be shown or revoked any more.
    ///
    /// - Parameters:
    ///   - types: The settings of credential types that can be revoked.
    ///   - warn: Takes a warning, in development mode.
    /// - Throws: ``ToolError``.
    func checkRevocationRecords(
        for types: [CredentialTypeIdentifier: RevocationSettings],
        warn: (Logger.Message) -> Void
    ) throws {
        let kind = try configuration.valueIfPresent(of: ServerKeys.revocationDatabase)
        let address = try configuration.valueIfPresent(of: ServerKeys.revocationDatabaseAddress)
        if kind == nil, let address, !address.withValue({ $0.isEmpty }) {
            throw ToolError("revocation_db_type: revocation_db_str is given, and no type")
        }
        guard try !hasRevocationDatabase else { return }
        let own = types.filter { $0.value.role.contains(.authority) }.keys.sorted()
        guard let type = own.first else { return }
        guard !isProduction else {
            throw ToolError(
                "revocation_db_type: production mode keeps the records of an authority (\(type)) in sqlite or postgres"
            )
        }
        warn("the records of revocation lie in memory: a restart loses them, and credentials with them")
    }

    /// Indicates that the records of revocation lie in a database.
    var hasRevocationDatabase: Bool {
        get throws { try configuration.valueIfPresent(of: ServerKeys.revocationDatabase) ?? "memory" != "memory" }
    }

    /// The records of the server's own revocation authority.
    ///
    /// - Throws: ``ToolError`` for a place that this build does not have, `IRMAServerError` for one that cannot be opened.
    func revocationRecords(clock: SessionClock) async throws -> any RevocationRecords {
        switch try configuration.valueIfPresent(of: ServerKeys.revocationDatabase) ?? "memory" {
        case "memory": return InMemoryRevocationRecords()
        case "sqlite":
            #if SQLite
            guard let address = try configuration.valueIfPresent(of: ServerKeys.revocationDatabaseAddress) else {
                throw ToolError("revocation_db_str: revocation_db_type sqlite needs the path of a file")
            }
            return try address.withValue { try SQLiteRevocationRecords(path: $0) }
            #else
            throw ToolError("revocation_db_type: this build has no SQLite: build it with the trait SQLite")
            #endif
        case "postgres":
            #if PostgreSQL
            guard let address = try configuration.valueIfPresent(of: ServerKeys.revocationDatabaseAddress) else {
                throw ToolError("revocation_db_str: revocation_db_type postgres needs a connection string")
            }
            let records = try PostgreSQLRevocationRecords(
                configuration: address.withValue { PostgreSQLConfiguration(connectionString: $0) },
                clock: clock
            )
            try await records.createTables()
            return records
            #else
            throw ToolError("revocation_db_type: this build has no PostgreSQL: build it with the trait PostgreSQL")
            #endif
        case let kind: throw ToolError("revocation_db_type: this build has no records in \(kind)")
        }
    }
}
#endif
