#if Server
import CredentialServingOperations
import JSONKit
import ServerSupport

/// The keys of `irma server`, with the names, short flags and defaults of the reference.
///
/// Defaults that depend on the mode are those of ``ServerSettings``.
enum ServerKeys {
    static let schemesPath = ConfigurationKey.text(
        "schemes_path",
        help: "Folder of the schemes (irma_configuration); by default the one in the user's data folder.",
        letter: "s"
    )
    static let schemesAssetsPath = ConfigurationKey.text(
        "schemes_assets_path",
        help: """
            Folder of schemes, copied to schemes_path if they are missing there or newer; private keys in it are read, and not \
            copied. By default irma_configuration_assets in the user's data folder, if it is there.
            """
    )
    static let schemesUpdate = ConfigurationKey.duration(
        "schemes_update",
        default: .seconds(3600),
        unit: .minutes,
        in: .zero ... .seconds(60 * 525_600),
        help: "Time between two updates of the schemes; 0 for no updates."
    )
    static let privateKeys = ConfigurationKey.text(
        "privkeys",
        help: "Folder with private keys of issuers, called scheme.issuer.xml or scheme.issuer.<counter>.xml.",
        letter: "k"
    )
    static let url = ConfigurationKey.text(
        "url",
        help: """
            URL at which wallets reach the server; ":port" stands for the port. Required in production mode, otherwise \
            http and an address of this machine.
            """,
        letter: "u"
    )
    static let usesEventStreams = ConfigurationKey.boolean(
        "sse",
        default: false,
        help: "Offers changes of status as server-sent events.",
        aliases: ["enable_sse"]
    )
    static let staticSessions = ConfigurationKey.structure(
        "static_sessions",
        help: "Sessions that wallets can start, by their names.",
        isSecret: true
    )
    static let maximumSessionLifetime = ConfigurationKey.duration(
        "max_session_lifetime",
        default: .seconds(900),
        unit: .minutes,
        in: .seconds(1) ... .seconds(86_400 * 7),
        help: "Longest time without activity before a session times out."
    )
    static let resultLifetime = ConfigurationKey.duration(
        "session_result_lifetime",
        default: .seconds(300),
        unit: .minutes,
        in: .seconds(1) ... .seconds(86_400 * 7),
        help: "Time for which a result can be fetched."
    )
    static let allowsOldVersions = ConfigurationKey.boolean(
        "allow_old_protocol_versions",
        default: false,
        help: "Takes wallets that speak versions 2.4 to 2.7 of the protocol, which have no pairing."
    )
    static let jwtIssuer = ConfigurationKey.text(
        "jwt_issuer",
        default: "irmaserver",
        help: "Name of the server in signed results.",
        letter: "j"
    )
    static let jwtPrivateKey = ConfigurationKey.secret(
        "jwt_privkey",
        help: "RSA key in PEM that signs results."
    )
    static let allowsUnsignedCallbacks = ConfigurationKey.boolean(
        "allow_unsigned_callbacks",
        default: false,
        help: "Sends results to callback URLs even if no key signs them."
    )
    static let allowsPrivateCallbacks = ConfigurationKey.boolean(
        "allow_private_callbacks",
        help: """
            Sends results also to private addresses and by plain http; by default in development mode, and not in \
            production mode.
            """
    )
    static let authorityFile = ConfigurationKey.text(
        "ca_file",
        help: """
            File of certificates in PEM, of authorities that vouch by TLS for the servers that are called, such as those of \
            callback URLs, beside the system's.
            """
    )
    static let augmentsReturnURL = ConfigurationKey.boolean(
        "augment_client_return_url",
        default: false,
        help: "Appends the requestor's token to the URL that a wallet returns to, if a request asks for it."
    )
    static let isProduction = ConfigurationKey.boolean(
        "production",
        default: false,
        help: "Production mode: https, no requestors without authentication, no developer mode in requests."
    )
    static let certificatesOfCopies = ConfigurationKey.text(
        "sdjwtvc.issuer_certificates_dir",
        help: "Folder of certificates for SD-JWT copies, as <scheme>.<issuer>.pem, the issuer's own first."
    )
    static let keysOfCopies = ConfigurationKey.text(
        "sdjwtvc.issuer_private_keys_dir",
        help: "Folder of the private keys of these certificates, as <scheme>.<issuer>.pem."
    )
    static let trustedProxies = ListenerKeys.trustedProxies

    /// The keys of the session server.
    static let session = [
        schemesPath.declaration, schemesAssetsPath.declaration, schemesUpdate.declaration, privateKeys.declaration,
        url.declaration, usesEventStreams.declaration, staticSessions.declaration,
        maximumSessionLifetime.declaration, resultLifetime.declaration, allowsOldVersions.declaration,
        jwtIssuer.declaration, jwtPrivateKey.declaration, allowsUnsignedCallbacks.declaration,
        allowsPrivateCallbacks.declaration, authorityFile.declaration, augmentsReturnURL.declaration,
        isProduction.declaration,
        certificatesOfCopies.declaration, keysOfCopies.declaration, trustedProxies.declaration,
    ]

    /// All keys, in the order of the help.
    static let all =
        session + listeners + requestors + revocation + StoreKeys.all + meaningless + OperationsKeys.declarations

    /// The schema of the configuration.
    static func schema() throws(OperationsError) -> ConfigurationSchema {
        try ConfigurationSchema(name: "irmaserver", all)
    }

    /// The folders that are searched for the file.
    static let folders = [".", "/etc/irmaserver", "~/.irmaserver"]
}
#endif
