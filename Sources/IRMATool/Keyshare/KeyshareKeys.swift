#if Server
import CredentialServingOperations

/// The keys of `irma keyshare server`, with the names, short flags and defaults of the reference.
enum KeyshareKeys {
    static let port = ConfigurationKey.integer(
        "port",
        default: 8080,
        in: 0...65535,
        help: "Port to listen at; 0 for any.",
        letter: "p"
    )
    static let url = ConfigurationKey.text(
        "url",
        help: "URL at which wallets reach the server; \":port\" stands for the port.",
        letter: "u",
        isRequired: true
    )
    static let database = ConfigurationKey.choice(
        "db_type",
        of: ["memory", "sqlite", "postgres", "mysql"],
        default: "postgres",
        help: "Place of the accounts: memory, which a restart empties, sqlite or postgres. MySQL is not supported."
    )
    static let databaseAddress = ConfigurationKey.secret(
        "db_str",
        help: "Address of the database: for sqlite the path of the file, for postgres a connection string of libpq."
    )
    static let jwtPrivateKey = ConfigurationKey.secret(
        "jwt_privkey",
        help: "RSA key in PEM that signs accounts' tokens and answers.",
        isRequired: true
    )
    static let jwtKeyID = ConfigurationKey.integer(
        "jwt_privkey_id",
        default: 0,
        in: 0...Int(UInt32.max),
        help: "Number of that key in the scheme: its public key is kss-<number>.pem."
    )
    static let jwtIssuer = ConfigurationKey.text(
        "jwt_issuer",
        default: "keyshare_server",
        help: "Name of the server in its tokens."
    )
    static let tokenLifetime = ConfigurationKey.duration(
        "jwt_pin_expiry",
        default: .seconds(300),
        unit: .seconds,
        in: .seconds(1) ... .seconds(86_400),
        help: "Lifetime of an account's token."
    )
    static let storageKeyFile = ConfigurationKey.text(
        "storage_primary_key_file",
        help: "File with the key that seals accounts: 4 bytes of identifier and 32 bytes of key.",
        isRequired: true
    )
    static let fallbackKeys = ConfigurationKey.text(
        "storage_fallback_keys_dir",
        help: "Folder with older keys, in files that end with .key."
    )
    static let writesReferenceRecords = ConfigurationKey.boolean(
        "reference_records",
        default: false,
        help: "Writes accounts so that the reference's server reads them, without stretching PINs."
    )
    static let acceptsUnsignedMessages = ConfigurationKey.boolean(
        "allow_unsigned_messages",
        default: false,
        help: "Takes enrolments and changes of the PIN without a signature, from wallets that have no key."
    )
    static let attribute = ConfigurationKey.text(
        "keyshare_attribute",
        help: "Attribute with the account's name, which wallets get when they enrol.",
        isRequired: true
    )
    static let schemes = ConfigurationKey.list(
        "keyshare_schemes",
        default: [],
        help: "Schemes whose keyshare server this is; by default that of keyshare_attribute."
    )
    static let connections = ["db_max_idle", "db_max_open", "db_max_idle_time", "db_max_open_time"].map { name in
        ConfigurationKey.integer(name, in: 0...Int(Int32.max), help: "Has no meaning for memory and sqlite.")
    }
    /// The keys of the reference for features that this server lacks.
    static let unsupported = [
        "email_server", "email_hostname", "email_username", "email_password", "email_from", "email_token_validity",
        "default_language", "registration_email_subjects", "registration_email_files", "verification_url",
    ].map { name in
        ConfigurationKey.structure(name, help: "Not supported: this server sends no e-mail.", isSecret: true)
    }

    static let all =
        [
            ServerKeys.schemesPath.declaration, ServerKeys.schemesAssetsPath.declaration,
            ServerKeys.schemesUpdate.declaration, ServerKeys.privateKeys.declaration, url.declaration,
            port.declaration, ServerKeys.address.declaration, database.declaration, databaseAddress.declaration,
            jwtPrivateKey.declaration, jwtKeyID.declaration, jwtIssuer.declaration, tokenLifetime.declaration,
            storageKeyFile.declaration, fallbackKeys.declaration, writesReferenceRecords.declaration,
            acceptsUnsignedMessages.declaration, attribute.declaration, schemes.declaration,
            ServerKeys.certificate.declaration,
            ServerKeys.certificateKey.declaration, ServerKeys.disablesTLS.declaration,
            ServerKeys.isProduction.declaration, ServerKeys.trustedProxies.declaration,
        ] + connections.map(\.declaration) + StoreKeys.all + unsupported.map(\.declaration)
        + OperationsKeys.declarations

    /// The schema of the configuration.
    static func schema() throws(OperationsError) -> ConfigurationSchema {
        try ConfigurationSchema(name: "keyshareserver", all)
    }

    /// The folders that are searched for the file.
    static let folders = [".", "/etc/keyshareserver"]
}
#endif
