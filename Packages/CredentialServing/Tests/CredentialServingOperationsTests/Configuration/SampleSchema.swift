#if Server
import CredentialServingOperations
import JSONKit

/// The keys of an IRMA server's configuration that need every feature of a schema.
enum Sample {
    static let port = ConfigurationKey.integer(
        "port",
        default: 8088,
        in: 0...65535,
        help: "Port that the server listens at; 0 for any.",
        letter: "p"
    )
    static let address = ConfigurationKey.text(
        "listen_addr",
        default: "0.0.0.0",
        help: "Address that the server listens at."
    )
    static let url = ConfigurationKey.text("url", help: "URL of the server as clients see it.", letter: "u")
    static let production = ConfigurationKey.boolean(
        "production",
        default: false,
        help: "Refuses what only tests need."
    )
    static let noTLS = ConfigurationKey.boolean(
        "disable_tls",
        default: false,
        help: "Listens without TLS.",
        aliases: ["no_tls"]
    )
    static let verbose = ConfigurationKey.count("verbose", maximum: 2, help: "Logs more.", letter: "v")
    static let storeType = ConfigurationKey.choice(
        "store_type",
        of: ["memory", "redis"],
        default: "memory",
        help: "Store of the sessions."
    )
    static let redisAddress = ConfigurationKey.text("redis.addr", help: "Address of Redis.")
    static let redisPassword = ConfigurationKey.secret("redis.pw", help: "Password of Redis.")
    static let redisDatabase = ConfigurationKey.integer("redis.db", default: 0, in: 0...15, help: "Database of Redis.")
    static let lifetime = ConfigurationKey.duration(
        "max_session_lifetime",
        default: .seconds(900),
        unit: .minutes,
        in: .seconds(1)...(.seconds(86400)),
        help: "Longest life of a session."
    )
    static let maximumAge = ConfigurationKey.duration(
        "max_request_age",
        default: .seconds(300),
        unit: .seconds,
        in: .seconds(1)...(.seconds(3600)),
        help: "Longest age of a signed request."
    )
    static let bodySize = ConfigurationKey.byteCount(
        "max_body",
        default: 65536,
        in: 1024...(16 << 20),
        help: "Largest body of a request."
    )
    static let disclosePermissions = ConfigurationKey.list(
        "disclose_perms",
        default: ["*"],
        help: "Attributes to ask for."
    )
    static let key = ConfigurationKey.secret("jwt_privkey", help: "Key that signs results.")
    static let staticSessions = ConfigurationKey.structure("static_sessions", help: "Sessions that anyone can start.")
    static let requestorMethod = ConfigurationKey.choice(
        "requestors.*.auth_method",
        of: ["token", "hmac", "publickey"],
        help: "Authentication of the requestor."
    )
    static let requestorKey = ConfigurationKey.secret("requestors.*.key", help: "Key or token of the requestor.")
    static let requestorPermissions = ConfigurationKey.list(
        "requestors.*.disclose_perms",
        help: "Attributes to ask for."
    )

    static let declarations = [
        port.declaration, address.declaration, url.declaration, production.declaration, noTLS.declaration,
        verbose.declaration, storeType.declaration, redisAddress.declaration, redisPassword.declaration,
        redisDatabase.declaration, lifetime.declaration, maximumAge.declaration, bodySize.declaration,
        disclosePermissions.declaration, key.declaration, staticSessions.declaration, requestorMethod.declaration,
        requestorKey.declaration, requestorPermissions.declaration,
    ]

    static func schema() throws -> ConfigurationSchema { try ConfigurationSchema(name: "irmaserver", declarations) }

    /// Loads a configuration of nothing but what a test gives.
    static func load(
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        files: [String: String] = [:],
        folders: [String] = [".", "/etc/irmaserver"],
        ignoring ignoredVariables: Set<String> = []
    ) throws -> ServerConfiguration {
        let loader = ConfigurationLoader(
            try schema(),
            folders: folders,
            ignoredVariables: ignoredVariables,
            files: .inMemory(files)
        )
        switch try loader.load(arguments: arguments, environment: environment) {
        case .help: throw HelpRequested()
        case .configuration(let configuration): return configuration
        }
    }

    struct HelpRequested: Error {}
}
#endif
