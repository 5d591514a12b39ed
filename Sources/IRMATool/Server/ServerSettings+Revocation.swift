#if Server
import CommandSupport
import CredentialServing
import CredentialServingOperations
import CredentialTransport
import IRMAMessages
import IRMAServer

extension ServerSettings {
    /// The revocation authority, or nil where no credential type has a role.
    ///
    /// - Throws: ``ToolError`` for an unknown credential type, one that cannot be revoked, and a place of records that this
    ///   build does not have.
    func revocationAuthority(_ material: ServerMaterial, clock: SessionClock) throws -> RevocationAuthorityService? {
        var roles: [CredentialTypeIdentifier: RevocationRole] = [:]
        for name in configuration.names(in: "revocation_settings") {
            let type = CredentialTypeIdentifier(name)
            guard let description = material.schemes.credentialType(type) else {
                throw ToolError("revocation_settings.\(name): unknown credential type")
            }
            guard description.revocationIndex != nil else {
                throw ToolError("revocation_settings.\(name): credentials of this type cannot be revoked")
            }
            var role: RevocationRole = []
            if try configuration.value(of: ServerKeys.isRevocationServer, named: name) { role.insert(.server) }
            if try configuration.value(of: ServerKeys.isRevocationAuthority, named: name) {
                role.formUnion([.server, .authority])
            }
            if !role.isEmpty { roles[type] = role }
        }
        guard !roles.isEmpty else { return nil }
        return RevocationAuthorityService(
            roles: roles,
            records: try revocationRecords(),
            issuerKeys: material.issuerKeys,
            clock: clock
        )
    }

    /// The URLs of revocation servers in the place of those that schemes name.
    func revocationServers() throws -> [CredentialTypeIdentifier: String] {
        var servers: [CredentialTypeIdentifier: String] = [:]
        for name in configuration.names(in: "revocation_settings") {
            guard let url = try configuration.valueIfPresent(of: ServerKeys.revocationServerURL, named: name),
                !url.isEmpty
            else { continue }
            do {
                _ = try HTTPURL(url)
            } catch {
                throw ToolError("revocation_settings.\(name).revocation_server_url: \(error)")
            }
            servers[CredentialTypeIdentifier(name)] = url
        }
        return servers
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

    private func revocationRecords() throws -> any RevocationRecords {
        switch try configuration.valueIfPresent(of: ServerKeys.revocationDatabase) ?? "memory" {
        case "memory": return InMemoryRevocationRecords()
        case let kind: throw ToolError("revocation_db_type: this build has no records in \(kind)")
        }
    }
}
#endif
