#if Server
import CredentialServingOperations

extension ServerKeys {
    static let acceptsEveryone = ConfigurationKey.boolean(
        "no_auth",
        help: "Takes requests without authentication; by default only in development mode."
    )
    static let disclosePermissions = ConfigurationKey.list(
        "disclose_perms",
        default: ["*"],
        help: "Attributes that all requestors may ask for, such as scheme.issuer.*."
    )
    static let signPermissions = ConfigurationKey.list(
        "sign_perms",
        default: ["*"],
        help: "Attributes that all requestors may have messages signed with."
    )
    static let issuePermissions = ConfigurationKey.list(
        "issue_perms",
        help:
            "Credential types that all requestors may issue; by default all in development mode, and none in production."
    )
    static let revokePermissions = ConfigurationKey.list(
        "revoke_perms",
        default: [],
        help: "Credential types that all requestors may revoke."
    )
    static let hostPermissions = ConfigurationKey.list(
        "host_perms",
        default: [],
        help: """
            Hosts that all authenticated requestors may name, with * and ?. With it, the server's own host has to be listed, too.
            """
    )
    static let skipsPrivateKeysCheck = ConfigurationKey.boolean(
        "skip_private_keys_check",
        default: false,
        help: "Takes permissions to issue and to revoke for which the private key is missing."
    )
    static let maximumRequestAge = ConfigurationKey.duration(
        "max_request_age",
        default: .seconds(300),
        unit: .seconds,
        in: .seconds(1) ... .seconds(86_400),
        help: "Largest age of a signed request."
    )

    // The members of a requestor
    static let requestorMethod = ConfigurationKey.choice(
        "requestors.*.auth_method",
        of: ["token", "hmac", "publickey"],
        help: "Way in which the requestor authenticates itself."
    )
    static let requestorKey = ConfigurationKey.secret(
        "requestors.*.key",
        help: "Token, HMAC key in base64, or public key in PEM."
    )
    static let requestorAllowsShortKey = ConfigurationKey.boolean(
        "requestors.*.allow_short_key",
        default: false,
        help: "Takes an HMAC key of fewer than 32 bytes."
    )
    static let requestorDisclose = ConfigurationKey.list(
        "requestors.*.disclose_perms",
        default: [],
        help: "Attributes that the requestor may ask for."
    )
    static let requestorSign = ConfigurationKey.list(
        "requestors.*.sign_perms",
        default: [],
        help: "Attributes that the requestor may have messages signed with."
    )
    static let requestorIssue = ConfigurationKey.list(
        "requestors.*.issue_perms",
        default: [],
        help: "Credential types that the requestor may issue."
    )
    static let requestorRevoke = ConfigurationKey.list(
        "requestors.*.revoke_perms",
        default: [],
        help: "Credential types that the requestor may revoke."
    )
    static let requestorHosts = ConfigurationKey.list(
        "requestors.*.host_perms",
        default: [],
        help: "Hosts that the requestor may name. With it, the server's own host has to be listed, too."
    )

    /// The keys of requestors.
    static let requestors = [
        acceptsEveryone.declaration, disclosePermissions.declaration, signPermissions.declaration,
        issuePermissions.declaration, revokePermissions.declaration, hostPermissions.declaration,
        skipsPrivateKeysCheck.declaration, maximumRequestAge.declaration, requestorMethod.declaration,
        requestorKey.declaration, requestorAllowsShortKey.declaration, requestorDisclose.declaration,
        requestorSign.declaration, requestorIssue.declaration, requestorRevoke.declaration,
        requestorHosts.declaration,
    ]
}
#endif
