#if Server
import CommandSupport
import CredentialServing
import CredentialServingOperations
import IRMAMessages
import IRMAServer

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
            let type = CredentialTypeIdentifier(name)
            guard let description = material.schemes.credentialType(type) else {
                throw ToolError("revocation_settings.\(name): unknown credential type")
            }
            guard description.revocationIndex != nil else {
                throw ToolError("revocation_settings.\(name): credentials of this type cannot be revoked")
            }
            do {
                settings[type] = try revocationSettings(named: name)
            } catch let error as IRMAServerError {
                throw ToolError("revocation_settings.\(name): \(error.message)")
            }
        }
        return settings
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
    func revocationTolerances() throws -> [CredentialTypeIdentifier: UInt64] {
        var tolerances: [CredentialTypeIdentifier: UInt64] = [:]
        for name in configuration.names(in: "revocation_settings") {
            let tolerance = try configuration.value(of: ServerKeys.revocationTolerance, named: name)
            tolerances[CredentialTypeIdentifier(name)] = UInt64(clamping: tolerance.components.seconds)
        }
        return tolerances
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
