#if Server
package import CredentialServingOperations

/// The keys of the session store, which the servers of this command share.
package enum StoreKeys {
    package static let kind = ConfigurationKey.choice(
        "store_type",
        of: ["memory", "redis", "sqlite"],
        default: "memory",
        help: "Place of the sessions: this process, Redis for several machines, or an SQLite file for one."
    )
    package static let file = ConfigurationKey.text("sqlite_path", help: "Path of the SQLite file.")
    package static let sealingKeys = ConfigurationKey.secret(
        "store_keys",
        help: "Keys that seal the sessions: 32 bytes each in base64, a line each; the first seals, all open."
    )
    package static let address = ConfigurationKey.text("redis.addr", help: "Host and port of Redis.")
    package static let sentinels = ConfigurationKey.list(
        "redis.sentinel_addrs",
        default: [],
        help: "Hosts and ports of the sentinels of Redis."
    )
    package static let master = ConfigurationKey.text(
        "redis.sentinel_master_name",
        help: "Name of the sentinels' master."
    )
    package static let acceptsRisk = ConfigurationKey.boolean(
        "redis.accept_inconsistency_risk",
        default: false,
        help: "Takes sentinels, whose new master may lack the last changes."
    )
    package static let user = ConfigurationKey.text("redis.username", help: "User of Redis.")
    package static let password = ConfigurationKey.secret("redis.pw", help: "Password of Redis.")
    package static let sentinelUser = ConfigurationKey.text("redis.sentinel_username", help: "User of the sentinels.")
    package static let sentinelPassword = ConfigurationKey.secret(
        "redis.sentinel_pw",
        help: "Password of the sentinels."
    )
    package static let allowsEmptyPassword = ConfigurationKey.boolean(
        "redis.allow_empty_password",
        default: false,
        help: "Takes a Redis without a password."
    )
    package static let prefixesKeys = ConfigurationKey.boolean(
        "redis.acl_use_key_prefixes",
        default: false,
        help: "Puts the user's name in front of every key."
    )
    package static let database = ConfigurationKey.integer(
        "redis.db",
        default: 0,
        in: 0...65535,
        help: "Number of the database of Redis."
    )
    package static let certificate = ConfigurationKey.text(
        "redis.tls_cert",
        help: "Certificates in PEM that vouch for Redis; by default those of the system.",
        hasFileForm: true
    )
    package static let clientCertificateFile = ConfigurationKey.text(
        "redis.tls_client_cert_file",
        help: "File with the certificate that this server shows to Redis."
    )
    package static let clientKeyFile = ConfigurationKey.text(
        "redis.tls_client_key_file",
        help: "File with the private key of that certificate."
    )
    package static let disablesTLS = ConfigurationKey.boolean(
        "redis.no_tls",
        default: false,
        help: "Connects to Redis without TLS."
    )

    package static let all = [
        kind.declaration, file.declaration, sealingKeys.declaration, address.declaration, sentinels.declaration,
        master.declaration, acceptsRisk.declaration, user.declaration, password.declaration, sentinelUser.declaration,
        sentinelPassword.declaration, allowsEmptyPassword.declaration, prefixesKeys.declaration,
        database.declaration, certificate.declaration, clientCertificateFile.declaration, clientKeyFile.declaration,
        disablesTLS.declaration,
    ]
}
#endif
