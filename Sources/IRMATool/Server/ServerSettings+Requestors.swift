#if Server
import CommandSupport
import CredentialServingOperations
import CryptoCore
import IRMAServer

extension ServerSettings {
    /// The requestors and their permissions.
    ///
    /// - Throws: ``ToolError`` for requestors beside `no_auth`, and for a requestor without a usable key.
    func requestors() throws -> RequestorRegistry {
        let permissions = RequestorPermissions(
            disclose: try configuration.value(of: ServerKeys.disclosePermissions),
            sign: try configuration.value(of: ServerKeys.signPermissions),
            issue: try configuration.valueIfPresent(of: ServerKeys.issuePermissions) ?? (isProduction ? [] : ["*"]),
            revoke: try configuration.value(of: ServerKeys.revokePermissions)
        )
        let needsKeys = try !configuration.value(of: ServerKeys.skipsPrivateKeysCheck)
        let names = configuration.names(in: "requestors")
        let hosts = try configuration.value(of: ServerKeys.hostPermissions)
        if try configuration.valueIfPresent(of: ServerKeys.acceptsEveryone) ?? !isProduction {
            guard names.isEmpty else {
                throw ToolError("requestors: with no_auth there are no requestors; set no_auth to false")
            }
            guard hosts.isEmpty else { throw ToolError("host_perms: needs requestors that authenticate themselves") }
            return .unauthenticated(permissions: permissions, requiresPrivateKeys: needsKeys)
        }
        guard try !names.isEmpty || isRevocationServer() else {
            throw ToolError("requestors: none is configured; name one, or set no_auth to true")
        }
        let age = try configuration.value(of: ServerKeys.maximumRequestAge)
        return RequestorRegistry(
            try names.map { try requestor($0, hosts: hosts) },
            permissions: permissions,
            maximumRequestAge: age.components.seconds,
            requiresPrivateKeys: needsKeys
        )
    }

    private func requestor(_ name: String, hosts: [String]) throws -> Requestor {
        let permissions = RequestorPermissions(
            disclose: try configuration.value(of: ServerKeys.requestorDisclose, named: name),
            sign: try configuration.value(of: ServerKeys.requestorSign, named: name),
            issue: try configuration.value(of: ServerKeys.requestorIssue, named: name),
            revoke: try configuration.value(of: ServerKeys.requestorRevoke, named: name),
            hosts: try configuration.value(of: ServerKeys.requestorHosts, named: name) + hosts
        )
        let allowsShortKey = try configuration.value(of: ServerKeys.requestorAllowsShortKey, named: name)
        let key = try configuration.value(of: ServerKeys.requestorKey, named: name)
        let method = try configuration.value(of: ServerKeys.requestorMethod, named: name)
        let authentication = try key.withValue { key in
            try Self.authentication(method, key, of: name, allowsShortKey: allowsShortKey)
        }
        return Requestor(name, authentication: authentication, permissions: permissions)
    }

    private static func authentication(
        _ method: String,
        _ key: String,
        of name: String,
        allowsShortKey: Bool
    ) throws(ToolError) -> Requestor.Authentication {
        switch method {
        case "token":
            return .token(SecretBytes(Array(key.utf8)))
        case "hmac":
            guard let bytes = Base64Key.decoded(key) else {
                throw ToolError("requestors.\(name).key: an HMAC key is written in base64")
            }
            return .hmac(bytes, allowsShortKey: allowsShortKey)
        default:
            do {
                return .publicKey(try PublicKey(pem: key))
            } catch {
                throw ToolError("requestors.\(name).key: no public key in PEM: \(error)")
            }
        }
    }

    private func isRevocationServer() throws -> Bool {
        for name in configuration.names(in: "revocation_settings") {
            if try configuration.value(of: ServerKeys.isRevocationServer, named: name) { return true }
            if try configuration.value(of: ServerKeys.isRevocationAuthority, named: name) { return true }
        }
        return false
    }
}
#endif
