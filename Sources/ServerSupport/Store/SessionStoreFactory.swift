#if Server
import CommandSupport
package import CredentialServing
package import CredentialServingOperations
import Crypto
package import Logging

#if Redis
import CredentialServingRedis
import NIOSSL
#endif
#if SQLite
import CredentialServingSQLite
#endif

/// Makes the store of sessions that the configuration names.
package struct SessionStoreFactory {
    private let configuration: ServerConfiguration
    private let prefix: String
    private let limits: SessionLimits
    private let clock: SessionClock
    private let logger: Logger

    /// A factory.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - prefix: The start of the name of every key in Redis.
    ///   - limits: The sizes of sessions.
    ///   - clock: The clock of the store.
    ///   - logger: The log of the store's faults.
    package init(
        configuration: ServerConfiguration,
        prefix: String,
        limits: SessionLimits = .default,
        clock: SessionClock,
        logger: Logger
    ) {
        self.configuration = configuration
        self.prefix = prefix
        self.limits = limits
        self.clock = clock
        self.logger = logger
    }

    /// The store.
    ///
    /// - Throws: `ToolError` for settings that do not go together, and the errors of the store.
    package func make() throws -> any SessionStore {
        let store = try sealed(try plain())
        guard try configuration.value(of: StoreKeys.kind) != "memory" else { return store }
        let log = StoreFaultLog(logger: logger, clock: clock)
        return ReportingSessionStore(store) { log.note($0) }
    }

    /// A store for a check of the settings, which opens no file.
    ///
    /// - Throws: As ``make()``.
    package func checked() throws -> any SessionStore {
        guard try configuration.value(of: StoreKeys.kind) == "sqlite" else { return try make() }
        guard try configuration.valueIfPresent(of: StoreKeys.file)?.isEmpty == false else { return try make() }
        return try sealed(MemorySessionStore(limits: limits, clock: clock))
    }

    /// The store, sealed with the configured keys; the store itself without any.
    private func sealed(_ store: any SessionStore) throws -> any SessionStore {
        guard let text = try configuration.valueIfPresent(of: StoreKeys.sealingKeys) else { return store }
        return EncryptedSessionStore(store, keyring: try text.withValue(Self.keyring), place: prefix)
    }

    private static func keyring(_ text: String) throws -> SessionKeyring {
        let keys = try text.split(whereSeparator: \.isWhitespace).map { line in
            guard let bytes = Base64Key.decoded(String(line)) else {
                throw ToolError("store_keys: a key is written in base64")
            }
            return SymmetricKey(data: bytes)
        }
        guard let sealing = keys.first else { throw ToolError("store_keys: no key") }
        do {
            return try SessionKeyring(sealing: sealing, opening: Array(keys.dropFirst()))
        } catch {
            throw ToolError("store_keys: \(error.message)")
        }
    }

    private func plain() throws -> any SessionStore {
        switch try configuration.value(of: StoreKeys.kind) {
        case "sqlite": return try sqlite()
        case "redis": return try redis()
        default: return MemorySessionStore(limits: limits, clock: clock)
        }
    }

    private func sqlite() throws -> any SessionStore {
        guard let path = try configuration.valueIfPresent(of: StoreKeys.file), !path.isEmpty else {
            throw ToolError("sqlite_path: store_type sqlite needs the path of a file")
        }
        #if SQLite
        return try SQLiteSessionStore(path: path, limits: limits, clock: clock)
        #else
        throw ToolError("store_type: this build has no SQLite: build it with the trait SQLite")
        #endif
    }

    private func redis() throws -> any SessionStore {
        #if Redis
        return try RedisSessionStore(
            configuration: try redisConfiguration(),
            limits: limits,
            clock: clock,
            logger: logger
        )
        #else
        throw ToolError("store_type: this build has no Redis: build it with the trait Redis")
        #endif
    }
}

#if Redis
extension SessionStoreFactory {
    private func redisConfiguration() throws -> RedisSessionConfiguration {
        let user = try configuration.valueIfPresent(of: StoreKeys.user).flatMap { $0.isEmpty ? nil : $0 }
        let password = try configuration.valueIfPresent(of: StoreKeys.password)?.withValue { $0 } ?? ""
        guard try !password.isEmpty || configuration.value(of: StoreKeys.allowsEmptyPassword) else {
            throw ToolError("redis.pw: no password; redis.allow_empty_password takes a Redis without one")
        }
        var prefix = prefix
        if try configuration.value(of: StoreKeys.prefixesKeys) {
            guard let user else { throw ToolError("redis.acl_use_key_prefixes: needs redis.username") }
            prefix = "\(user):\(prefix)"
        }
        return RedisSessionConfiguration(
            server: try redisServer(),
            database: try configuration.value(of: StoreKeys.database),
            credentials: password.isEmpty ? nil : RedisCredentials(user: user, password: password),
            tls: try redisTLS(),
            keyPrefix: prefix
        )
    }

    private func redisServer() throws -> RedisServer {
        let address = try configuration.valueIfPresent(of: StoreKeys.address) ?? ""
        let sentinels = try configuration.value(of: StoreKeys.sentinels)
        guard address.isEmpty != sentinels.isEmpty else {
            throw ToolError("redis.addr: either redis.addr or redis.sentinel_addrs is given")
        }
        guard !sentinels.isEmpty else { return .address(try Self.address(address, of: StoreKeys.address)) }
        guard let master = try configuration.valueIfPresent(of: StoreKeys.master), !master.isEmpty else {
            throw ToolError("redis.sentinel_master_name: sentinels need the name of their master")
        }
        guard try configuration.value(of: StoreKeys.acceptsRisk) else {
            throw ToolError(
                "redis.accept_inconsistency_risk: a new master may lack the last changes; set it to take that risk"
            )
        }
        let password = try configuration.valueIfPresent(of: StoreKeys.sentinelPassword)?.withValue { $0 } ?? ""
        let user = try configuration.valueIfPresent(of: StoreKeys.sentinelUser).flatMap { $0.isEmpty ? nil : $0 }
        return .sentinels(
            try sentinels.map { try Self.address($0, of: StoreKeys.sentinels) },
            master: master,
            credentials: password.isEmpty ? nil : RedisCredentials(user: user, password: password)
        )
    }

    private static func address<Value>(
        _ text: String,
        of key: ConfigurationKey<Value>
    ) throws(ToolError) -> RedisAddress {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0,
            colon > text.startIndex
        else { throw ToolError("\(key.declaration.name): not a host and a port, such as localhost:6379") }
        let host = text[..<colon].drop { $0 == "[" }
        return RedisAddress(host: String(host.last == "]" ? host.dropLast() : host), port: Int(port))
    }

    private func redisTLS() throws -> RedisTLS? {
        let certificate = try configuration.valueIfPresent(of: StoreKeys.certificate) ?? ""
        let files = (
            certificate: try configuration.valueIfPresent(of: StoreKeys.clientCertificateFile) ?? "",
            key: try configuration.valueIfPresent(of: StoreKeys.clientKeyFile) ?? ""
        )
        guard try !configuration.value(of: StoreKeys.disablesTLS) else {
            guard certificate.isEmpty, files.certificate.isEmpty, files.key.isEmpty else {
                throw ToolError("redis.no_tls: certificates are given as well")
            }
            return nil
        }
        guard files.certificate.isEmpty == files.key.isEmpty else {
            throw ToolError("redis.tls_client_cert_file: a certificate and its key go together")
        }
        var tls = TLSConfiguration.makeClientConfiguration()
        do {
            if !certificate.isEmpty {
                tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)))
            }
            if !files.certificate.isEmpty {
                tls.certificateChain = try NIOSSLCertificate.fromPEMFile(files.certificate).map { .certificate($0) }
                tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: files.key, format: .pem))
            }
        } catch {
            throw ToolError("redis.tls_cert: a certificate or its key cannot be read: \(error)")
        }
        return RedisTLS(configuration: tls)
    }
}
#endif
#endif
