#if Server && Client && SQLite
import CommandTesting
import CryptoCore
import Foundation
import IRMATool
import Testing

/// The configuration of `irma server`, as its check reads it.
@Suite struct ServerConfigurationTests {
    private let disk: SchemeOnDisk

    init() async throws {
        disk = try await SchemeOnDisk()
    }

    /// Checks a configuration of flags, and of a file.
    private func check(_ flags: String..., file: (name: String, text: String)? = nil) async throws -> Invocation {
        var arguments = ["server", "check", "--schemes-path", disk.schemes]
        if let file { arguments += ["-c", try disk.folder.write(file.text, to: file.name)] }
        return await Invocation.run(IRMATool.self, arguments + flags, now: SchemeOnDisk.now)
    }

    @Test func takesTheDefaultsOfDevelopment() async throws {
        let checked = try await check()
        #expect(checked.status == 0, "\(checked.errors)")
        #expect(checked.output == "the configuration is valid")
    }

    @Test(arguments: [
        (
            "irmaserver.json",
            #"{"port": 1234, "requestors": {"a": {"auth_method": "token", "key": "t"}}, "no_auth": false}"#
        ),
        ("irmaserver.yaml", "port: 1234\nno_auth: false\nrequestors:\n  a:\n    auth_method: token\n    key: t\n"),
        ("irmaserver.toml", "port = 1234\nno_auth = false\n[requestors.a]\nauth_method = \"token\"\nkey = \"t\"\n"),
    ])
    func readsAFileInEachFormat(name: String, text: String) async throws {
        let checked = try await check("-v", file: (name, text))
        #expect(checked.status == 0, "\(checked.errors)")
        #expect(checked.output.contains("port = 1234"))
        #expect(checked.output.contains("requestors.a.key = <redacted>"))
    }

    @Test func letsFlagsOverrideTheFile() async throws {
        let checked = try await check("-v", "-p", "4321", file: ("irmaserver.yml", "port: 1234"))
        #expect(checked.output.contains("port = 4321 (flag -p)"), "\(checked.errors)")
    }

    @Test(arguments: [
        ("unknown_key: 1", "unknown_key"), ("port: 70000", "70000"), ("port: x", "port"),
        ("requestors: {a: {auth_method: token}}\nno_auth: false", "requestors.a.key"),
        ("requestors: {a: {auth_method: pgp, key: x}}\nno_auth: false", "auth_method"),
        ("requestors: {a: {auth_method: hmac, key: '?'}}\nno_auth: false", "base64"),
        ("requestors: {a: {auth_method: hmac, key: c2hvcnQ=}}\nno_auth: false", "HMAC key of 5 bytes"),
        ("requestors: {a: {auth_method: publickey, key: x}}\nno_auth: false", "no public key"),
        ("requestors: {a: {auth_method: token, key: x}}", "no_auth"), ("no_auth: false", "none is configured"),
        ("host_perms: [a.example]", "host_perms"), ("disclose_perms: [other.*]", "unknown scheme"),
        ("issue_perms: [demo.bank.card.name]", "3 parts"), ("client_port: 8088", "same as port"),
        ("client_listen_addr: 127.0.0.1", "needs client_port"),
        ("client_port: 0\nclient_listen_addr: 127.0.0.1", "needs client_port"), ("tls_cert: x", "go together"),
        ("tls_cert: x\ntls_privkey: y", "tls_cert"), ("jwt_privkey: x", "jwt_privkey"),
        ("jwt_privkey_file: /missing.pem", "missing.pem"), ("store_type: redis", "redis.pw"),
        ("store_type: redis\nredis: {pw: x}", "redis.addr"),
        ("store_type: redis\nredis: {pw: x, addr: 'localhost'}", "host and a port"),
        ("store_type: redis\nredis: {pw: x, sentinel_addrs: ['a:1']}", "sentinel_master_name"),
        (
            "store_type: redis\nredis: {pw: x, sentinel_addrs: ['a:1'], sentinel_master_name: m}",
            "accept_inconsistency_risk"
        ),
        ("store_type: redis\nredis: {pw: x, addr: 'a:1', no_tls: true, tls_cert: y}", "no_tls"),
        ("store_type: redis\nredis: {pw: x, addr: 'a:1', tls_client_cert_file: y}", "go together"),
        ("store_type: redis\nredis: {pw: x, addr: 'a:1', acl_use_key_prefixes: true}", "redis.username"),
        ("store_type: sqlite", "sqlite_path"), ("store_type: mysql", "store_type"),
        ("store_keys: '?'", "store_keys: a key is written in base64"), ("store_keys: ' '", "store_keys: no key"),
        ("store_keys: c2hvcnQ=", "not of 256 bits"),
        ("store_type: sqlite\nsqlite_path: /nowhere/a.db\nstore_keys: c2hvcnQ=", "not of 256 bits"),
        ("revocation_db_type: mysql", "MySQL"), ("sdjwtvc: {issuer_certificates_dir: x}", "one of keys"),
        ("revocation_settings: {demo.bank.card: {authority: true}}", "cannot be revoked"),
        ("revocation_settings: {demo.bank.other: {server: true}}", "unknown credential type"),
        (
            "revocation_settings: {demo.bank.pass: {authority: true}, demo.bank.PASS: {authority: true}}", "letter case"
        ),
        ("revocation_db_str: host=a", "revocation_db_type"),
        ("static_sessions: {a: {}}", "static_sessions.a"), ("static_sessions: [1]", "static_sessions"),
        ("static_prefix: x", "static_prefix"), ("api_prefix: x", "api_prefix"),
        ("trusted_proxies: [x]", "trusted_proxies"), ("ca_file: /missing.pem", "missing.pem"),
        ("verbose: 1\nquiet: true", "quiet"), ("privkeys: /missing", "private keys"),
    ])
    func refusesAFaultyFile(text: String, expected: String) async throws {
        let checked = try await check(file: ("irmaserver.yml", text))
        #expect(checked.status == 2)
        #expect(checked.errors.contains(expected), "\(checked.errors)")
    }

    @Test func takesAShortHMACKeyOnlyByName() async throws {
        let text = "no_auth: false\nrequestors: {a: {auth_method: hmac, key: c2hvcnQ=, allow_short_key: true}}"
        let checked = try await check(file: ("irmaserver.yml", text))
        #expect(checked.status == 0, "\(checked.errors)")
    }

    @Test func takesRedisByItsSettings() async throws {
        let text = "store_type: redis\nredis_addr: 'localhost:6379'\nredis_pw: ''\nredis_allow_empty_password: true"
        let checked = try await check("--offline", file: ("irmaserver.yml", text))
        #expect(checked.status == 0, "\(checked.errors)")
    }

    /// As the reference's server.
    @Test func takesAnEmptyPrefix() async throws {
        let checked = try await check("--offline", file: ("irmaserver.yml", "api_prefix: ''"))
        #expect(checked.status == 0, "\(checked.errors)")
    }

    @Test func demandsMoreInProduction() async throws {
        let withoutURL = try await check("--production", "--no-auth")
        #expect(withoutURL.errors.contains("url"))
        let plain = try await check("--production", "--no-auth", "--url", "http://a.example/")
        #expect(plain.errors.contains("not https"))
        let behindProxy = try await check("--production", "--no-auth", "--url", "http://a.example/", "--no-tls")
        #expect(behindProxy.status == 0, "\(behindProxy.errors)")
        let unauthenticated = try await check("--production", "--url", "https://a.example/")
        #expect(unauthenticated.errors.contains("none is configured"))
        let secrets = try await check(
            "--production",
            "--no-auth",
            "--url",
            "https://a.example/",
            "--log-secrets"
        )
        #expect(secrets.errors.contains("production mode"))
    }

    @Test func readsKeysFromFiles() async throws {
        let key = try PrivateKey.generateRSA(bits: 2048)
        let pem = try disk.folder.write(key.pem, to: "jwt.pem")
        let token = try disk.folder.write("secret\n", to: "token.txt")
        let text = "no_auth: false\nrequestors: {a: {auth_method: token, key_file: '\(token)'}}"
        let checked = try await check("--jwt-privkey-file", pem, file: ("irmaserver.yml", text))
        #expect(checked.status == 0, "\(checked.errors)")
    }

    /// A restart would lose the records, and nothing could be shown or revoked any more.
    @Test func anAuthorityKeepsItsRecordsInProduction() async throws {
        let authority = "revocation_settings: {demo.bank.pass: {authority: true}}\n"
        let production = authority + "production: true\nno_auth: true\nurl: https://a.example\n"
        for kind in ["", "revocation_db_type: memory\n"] {
            let refused = try await check(file: ("irmaserver.yml", production + kind))
            #expect(refused.status == 2 && refused.errors.contains("revocation_db_type"), "\(refused.errors)")
            let warned = try await check(file: ("irmaserver.yml", authority + kind))
            #expect(warned.status == 0 && warned.errors.contains("a restart loses them"), "\(warned.errors)")
        }
        let address = try disk.folder.write(disk.folder.path("records.db"), to: "address.txt")
        let kept = "revocation_db_type: sqlite\nrevocation_db_str_file: '\(address)'\n"
        let taken = try await check("-v", file: ("irmaserver.yml", production + kept))
        #expect(taken.status == 0, "\(taken.errors)")
        #expect(taken.output.contains("revocation_db_str = <redacted>"), "\(taken.output)")
    }

    /// A server asks another authority again after a restart.
    @Test func aReaderOfRevocationsNeedsNoRecords() async throws {
        let reader = "revocation_settings: {demo.bank.pass: {server: true, revocation_server_url: 'https://b.example'}}"
        let file = "production: true\nno_auth: true\nurl: https://a.example\n\(reader)"
        let taken = try await check(file: ("irmaserver.yml", file))
        #expect(taken.status == 0, "\(taken.errors)")
    }

    @Test func letterCaseDoesNotCountInSettingsOfRevocation() async throws {
        let file = "REVOCATION_SETTINGS: {Demo.Bank.PASS: {Authority: true, Tolerance: 90}}"
        let taken = try await check(file: ("irmaserver.yml", file))
        #expect(taken.status == 0, "\(taken.errors)")
        #expect(taken.errors.contains("a restart loses them"))
    }

    @Test func refusesAnUnknownFlag() async throws {
        let checked = try await check("--prot", "1")
        #expect(checked.status == 2)
        #expect(checked.errors.contains("--port"))
    }

    @Test func namesEveryKeyInItsHelp() async {
        let help = await Invocation.irma("server", "--help")
        #expect(help.status == 0)
        for name in [
            "schemes-path", "schemes-assets-path", "schemes-update", "privkeys", "url", "no-tls", "sse", "store-type",
            "redis-addr", "redis-sentinel-addrs", "redis-sentinel-master-name", "redis-accept-inconsistency-risk",
            "redis-username", "redis-pw", "redis-sentinel-username", "redis-sentinel-pw", "redis-allow-empty-password",
            "redis-acl-use-key-prefixes", "redis-db", "redis-tls-cert", "redis-tls-cert-file",
            "redis-tls-client-cert-file", "redis-tls-client-key-file", "redis-no-tls", "static-sessions",
            "max-session-lifetime", "session-result-lifetime", "jwt-issuer", "jwt-privkey", "jwt-privkey-file",
            "allow-unsigned-callbacks", "augment-client-return-url", "verbose", "quiet", "log-json",
            "revocation-db-type", "revocation-db-str", "revocation-settings", "production",
            "sdjwtvc-issuer-certificates-dir", "sdjwtvc-issuer-private-keys-dir", "disclose-perms", "sign-perms",
            "issue-perms", "revoke-perms", "host-perms", "skip-private-keys-check", "no-auth", "listen-addr", "port",
            "api-prefix", "tls-cert", "tls-cert-file", "tls-privkey", "tls-privkey-file", "client-port",
            "client-listen-addr", "client-tls-cert", "client-tls-cert-file", "client-tls-privkey",
            "client-tls-privkey-file", "requestors", "max-request-age", "static-path", "static-prefix",
        ] {
            #expect(help.output.contains("--\(name) ") || help.output.contains("--\(name)\n"), "\(name)")
        }
        for letter in ["-c", "-s", "-k", "-u", "-p", "-l", "-a", "-j", "-v", "-q"] {
            #expect(help.output.contains("  \(letter), --"), "\(letter)")
        }
        for name in ["auth_method", "key", "disclose_perms", "server", "authority", "revocation_server_url"] {
            #expect(help.output.contains(".\(name) <") || help.output.contains(".\(name)\n"), "\(name)")
        }
    }
}
#endif
