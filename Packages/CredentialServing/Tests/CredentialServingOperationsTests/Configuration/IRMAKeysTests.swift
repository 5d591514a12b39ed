#if Server
import CredentialServingOperations
import JSONKit
import Testing

/// The keys of the IRMA server, in the spellings that its operators' files, variables and flags have.
@Suite struct IRMAKeysTests {
    private static let texts = [
        "schemes_path", "schemes_assets_path", "privkeys", "url", "redis.addr", "redis.sentinel_master_name",
        "redis.username",
        "redis.sentinel_username", "redis.tls_client_cert_file", "redis.tls_client_key_file", "jwt_issuer",
        "revocation_db_type", "revocation_settings.*.revocation_server_url", "sdjwtvc.issuer_certificates_dir",
        "sdjwtvc.issuer_private_keys_dir", "listen_addr", "api_prefix", "client_listen_addr", "static_path",
        "static_prefix", "requestors.*.auth_method",
    ]
    private static let textsWithFiles = ["tls_cert", "client_tls_cert", "redis.tls_cert"]
    private static let secrets = [
        "redis.pw", "redis.sentinel_pw", "jwt_privkey", "revocation_db_str", "tls_privkey", "client_tls_privkey",
        "requestors.*.key",
    ]
    private static let booleans = [
        "enable_sse", "redis.accept_inconsistency_risk", "redis.allow_empty_password", "redis.acl_use_key_prefixes",
        "redis.no_tls", "allow_unsigned_callbacks", "augment_client_return_url", "production",
        "skip_private_keys_check",
        "no_auth", "revocation_settings.*.server", "revocation_settings.*.authority", "revocation_settings.*.sse",
    ]
    private static let lists = [
        "redis.sentinel_addrs", "disclose_perms", "sign_perms", "issue_perms", "revoke_perms", "host_perms",
        "requestors.*.disclose_perms", "requestors.*.sign_perms", "requestors.*.issue_perms",
        "requestors.*.revoke_perms",
        "requestors.*.host_perms",
    ]
    private static let numbers = ["redis.db", "port", "client_port", "revocation_settings.*.tolerance"]

    private static let schemesUpdate = ConfigurationKey.duration(
        "schemes_update",
        default: .seconds(3600),
        unit: .minutes,
        in: .zero ... .seconds(1_000_000),
        help: "Time between updates of schemes; 0 for none."
    )
    private static let resultLifetime = ConfigurationKey.duration(
        "session_result_lifetime",
        default: .seconds(300),
        unit: .minutes,
        in: .seconds(1) ... .seconds(86_400),
        help: "Time for which a result is kept."
    )

    private static func schema() throws -> ConfigurationSchema {
        var declarations = texts.map { ConfigurationKey.text($0, help: "\($0).").declaration }
        declarations += textsWithFiles.map { ConfigurationKey.text($0, help: "\($0).", hasFileForm: true).declaration }
        declarations += secrets.map { ConfigurationKey.secret($0, help: "\($0).").declaration }
        declarations += booleans.map { name in
            ConfigurationKey.boolean(name, help: "\(name).", aliases: name == "enable_sse" ? ["sse"] : []).declaration
        }
        declarations += lists.map { ConfigurationKey.list($0, help: "\($0).").declaration }
        declarations += numbers.map { ConfigurationKey.integer($0, in: 0...65535, help: "\($0).").declaration }
        declarations += [
            schemesUpdate.declaration, resultLifetime.declaration, Sample.noTLS.declaration,
            Sample.storeType.declaration,
            Sample.lifetime.declaration, Sample.maximumAge.declaration, Sample.staticSessions.declaration,
        ]
        return try ConfigurationSchema(name: "irmaserver", declarations + OperationsKeys.declarations)
    }

    @Test func everyKeyIsTakenFromEverySource() throws {
        let schema = try Self.schema()
        let names = schema.declarations.filter { !$0.path.contains("*") && $0.kind != .structure }
        #expect(names.count > 50)
        for declaration in names {
            let value =
                switch declaration.kind {
                case .boolean: "true"
                case .choice(let words): words[0]
                case .integer, .count, .duration, .byteCount: "2"
                default: "x"
                }
            let name = declaration.path.joined(separator: "_")
            let flag = "--" + String(name.map { $0 == "_" ? "-" : $0 }) + "=" + value
            let quoted = ["x", "memory"].contains(value) ? "\"\(value)\"" : value
            let listed = declaration.kind == .list ? "[\(quoted)]" : quoted
            let loads = [
                try load(schema, [flag]), try load(schema, environment: ["IRMASERVER_" + name.uppercased(): value]),
                try load(schema, files: ["./irmaserver.yml": "\(name): \(listed)"]),
                try load(schema, files: ["./irmaserver.json": "{\"\(name)\": \(listed)}"]),
                try load(schema, files: ["./irmaserver.toml": "\(name) = \(listed)"]),
            ]
            for configuration in loads { #expect(configuration.description.hasPrefix(declaration.name + " = ")) }
        }
    }

    @Test func readsRevocationSettingsByCredentialType() throws {
        let text = """
            revocation_settings:
              irma-demo.MijnOverheid.root: {authority: true, revocation_server_url: "https://r.example", tolerance: 600}
              pbdf.pbdf.email: {sse: true}
            """
        let configuration = try load(Self.schema(), files: ["./irmaserver.yaml": text])
        #expect(configuration.names(in: "revocation_settings") == ["irma-demo.MijnOverheid.root", "pbdf.pbdf.email"])
        let tolerance = ConfigurationKey.integer("revocation_settings.*.tolerance", in: 0...65535, help: "")
        #expect(try configuration.value(of: tolerance, named: "irma-demo.MijnOverheid.root") == 600)
        #expect(try configuration.valueIfPresent(of: tolerance, named: "pbdf.pbdf.email") == nil)
    }

    @Test func zeroTurnsUpdatesOff() throws {
        #expect(try load(Self.schema(), ["--schemes-update", "0"]).value(of: Self.schemesUpdate) == .zero)
        #expect(try load(Self.schema()).value(of: Self.schemesUpdate) == .seconds(3600))
        #expect(
            try load(Self.schema(), ["--session-result-lifetime=5"]).value(of: Self.resultLifetime) == .seconds(300)
        )
    }

    private func load(
        _ schema: ConfigurationSchema,
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        files: [String: String] = [:]
    ) throws -> ServerConfiguration {
        let loader = ConfigurationLoader(schema, files: .inMemory(files))
        guard case .configuration(let configuration) = try loader.load(arguments: arguments, environment: environment)
        else { throw Sample.HelpRequested() }
        return configuration
    }
}
#endif
