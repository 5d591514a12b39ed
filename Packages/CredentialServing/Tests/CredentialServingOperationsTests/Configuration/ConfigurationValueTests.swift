#if Server
import CredentialServingOperations
import JSONKit
import Testing

@Suite struct ConfigurationValueTests {
    @Test(arguments: [
        ("--port", "65535", true), ("--port", "65536", false), ("--port", "0", true), ("--port", "-1", false),
        ("--port", "1.0", false), ("--port", "", false), ("--port", "8 088", false),
        ("--store-type", "redis", true), ("--store-type", "Redis", false),
        ("--redis-db", "15", true), ("--redis-db", "16", false),
        ("--max-session-lifetime", "1440", true), ("--max-session-lifetime", "1441", false),
        ("--max-session-lifetime", "1s", true), ("--max-session-lifetime", "999ms", false),
        ("--max-session-lifetime", "24h", true), ("--max-session-lifetime", "15 minutes", false),
        ("--max-session-lifetime", "9223372036854775807h", false), ("--max-session-lifetime", "-5", false),
        ("--max-body", "1024", true), ("--max-body", "1023", false), ("--max-body", "64KiB", true),
        ("--max-body", "16 MiB", true), ("--max-body", "17MiB", false), ("--max-body", "64KB", false),
        ("--max-body", "9223372036854775807GiB", false),
        ("--static-sessions", "{}", true), ("--static-sessions", "{", false),
        ("--requestors", "[]", false), ("--requestors", #"{"a": {"auth_method": "none"}}"#, false),
    ])
    func bounds(flag: String, value: String, isAllowed: Bool) throws {
        if isAllowed {
            _ = try Sample.load([flag, value])
        } else {
            let error = refusal(.invalidValue) { try Sample.load([flag, value]) }
            #expect(error?.source == "flag " + flag)
            #expect(error?.path.isEmpty == false)
        }
    }

    @Test(arguments: [
        ("json", #"{"port": "8088"}"#), ("json", #"{"port": true}"#), ("json", #"{"port": 1.5}"#),
        ("json", #"{"port": []}"#),
        ("json", #"{"production": 1}"#), ("json", #"{"production": "true"}"#), ("json", #"{"url": ["a"]}"#),
        ("json", #"{"url": {"a": 1}}"#), ("json", #"{"redis": 3}"#), ("json", #"{"requestors": {"a": 3}}"#),
        ("json", #"{"disclose_perms": [["a"]]}"#), ("json", #"{"disclose_perms": true}"#),
        ("json", #"{"max_body": true}"#), ("json", #"{"max_request_age": true}"#),
        ("json", #"{"jwt_privkey_file": ["a"]}"#), ("json", #"{"jwt_privkey_file": ""}"#),
        ("toml", "port = \"8088\""), ("toml", "production = 1"), ("toml", "port = 1979-05-27"),
        ("yaml", "port: \"8088\""), ("yaml", "production: yes"), ("yaml", "port: 0x10"), ("yaml", "redis: [a]"),
    ])
    func refusesValuesOfOtherTypes(ending: String, text: String) {
        let error = refusal(.invalidValue) { try Sample.load(files: ["./irmaserver.\(ending)": text]) }
        #expect(error?.source == "./irmaserver.\(ending)")
    }

    @Test func unitsOfTimes() throws {
        let texts = ["2": 120_000, "90s": 90_000, "1h": 3_600_000, "15 m": 900_000, "1500ms": 1500]
        for (text, milliseconds) in texts {
            let configuration = try Sample.load(["--max-session-lifetime", text])
            #expect(try configuration.value(of: Sample.lifetime) == .milliseconds(milliseconds))
        }
        #expect(try Sample.load(["--max-request-age", "10"]).value(of: Sample.maximumAge) == .seconds(10))
    }

    @Test func textKeepsTheSpellingOfYAML() throws {
        let configuration = try Sample.load(files: ["./irmaserver.yaml": "url: 1.10\nlisten_addr: yes\nport: ~"])
        #expect(try configuration.value(of: Sample.url) == "1.10")
        #expect(try configuration.value(of: Sample.address) == "yes")
        #expect(try configuration.value(of: Sample.port) == 8088)
    }

    @Test func listsTakeCommasAndRepetition() throws {
        let commas = try Sample.load(["--disclose-perms", "a, b", "--disclose-perms=c"])
        #expect(try commas.value(of: Sample.disclosePermissions) == ["a", "b", "c"])
        let variable = try Sample.load(environment: ["IRMASERVER_DISCLOSE_PERMS": "a,b"])
        #expect(try variable.value(of: Sample.disclosePermissions) == ["a", "b"])
        #expect(try Sample.load(["--disclose-perms="]).value(of: Sample.disclosePermissions) == [])
    }

    /// Orchestrators set variables to nothing where an operator leaves them out.
    @Test func emptyVariablesAreNone() throws {
        let environment = Dictionary(
            uniqueKeysWithValues: [
                "CONFIG", "PORT", "PRODUCTION", "DISCLOSE_PERMS", "MAX_SESSION_LIFETIME", "STORE_TYPE", "REQUESTORS",
                "STATIC_SESSIONS", "JWT_PRIVKEY", "JWT_PRIVKEY_FILE",
            ].map { ("IRMASERVER_" + $0, "") }
        )
        let configuration = try Sample.load(environment: environment, files: ["./irmaserver.json": #"{"port": 1}"#])
        #expect(try configuration.value(of: Sample.port) == 1)
        #expect(try configuration.value(of: Sample.disclosePermissions) == ["*"])
        #expect(try configuration.value(of: Sample.production) == false)
        refusal(.unknownKey) { try Sample.load(environment: ["IRMASERVER_PROT": ""]) }
    }

    @Test(arguments: ["1", "t", "T", "true", "True", "TRUE"], ["0", "f", "F", "false", "False", "FALSE"])
    func booleansHaveTheSpellingsOfTheReference(yes: String, no: String) throws {
        #expect(try Sample.load(["--production=\(yes)"]).value(of: Sample.production))
        #expect(try Sample.load(environment: ["IRMASERVER_NO_TLS": yes]).value(of: Sample.noTLS))
        #expect(try !Sample.load(["--production=\(no)"]).value(of: Sample.production))
        #expect(try !Sample.load(environment: ["IRMASERVER_NO_TLS": no]).value(of: Sample.noTLS))
    }

    @Test func flagsHaveShortForms() throws {
        let configuration = try Sample.load(["-vvp", "99", "-uhttps://x"])
        #expect(try configuration.value(of: Sample.verbose) == 2)
        #expect(try configuration.value(of: Sample.port) == 99)
        #expect(try configuration.value(of: Sample.url) == "https://x")
        #expect(try Sample.load(["-p=98"]).value(of: Sample.port) == 98)
        #expect(try Sample.load(["--verbose=1"]).value(of: Sample.verbose) == 1)
        refusal(.invalidValue) { try Sample.load(["-vvv"]) }
    }

    @Test func booleanFlagsStandAlone() throws {
        #expect(try Sample.load(["--production"]).value(of: Sample.production))
        #expect(try Sample.load(["--production=false"]).value(of: Sample.production) == false)
        #expect(try Sample.load(["--no-tls"]).value(of: Sample.noTLS))
        #expect(try Sample.load(environment: ["IRMASERVER_NO_TLS": "true"]).value(of: Sample.noTLS))
        refusal(.invalidValue) { try Sample.load(["--production=yes"]) }
        refusal(.unknownKey) { try Sample.load(["--production", "true"]) }
    }

    @Test func refusesRepeatedAndBareFlags() {
        let error = refusal(.duplicateKey) { try Sample.load(["--port", "1", "--port", "2"]) }
        #expect(error?.message == "given twice, first by flag --port")
        refusal(.duplicateKey) { try Sample.load(["--disable-tls", "--no-tls"]) }
        refusal(.duplicateKey) {
            try Sample.load(files: ["./irmaserver.json": #"{"redis_db": 1, "redis": {"db": 1}}"#])
        }
        refusal(.duplicateKey) {
            try Sample.load(["--config", "/a.toml", "--config=/a.toml"], files: ["/a.toml": ""])
        }
        refusal(.missingArgument) { try Sample.load(["--port"]) }
        refusal(.missingArgument) { try Sample.load(["--port", "--production"]) }
        refusal(.missingArgument) { try Sample.load(["--config"]) }
        refusal(.missingArgument) { try Sample.load(["-p"]) }
    }

    @Test func keysHaveConditionsOfTheirOwn() throws {
        let key = ConfigurationKey.text("url", help: "URL.").requiring("an https URL") { $0.hasPrefix("https://") }
        let secret = ConfigurationKey.secret("key", help: "Key.").requiring("a key of 4 characters") { key in
            key.withValue { $0.count == 4 }
        }
        let schema = try ConfigurationSchema(name: "x", [key.declaration, secret.declaration])
        let loader = ConfigurationLoader(schema, files: .inMemory([:]))
        #expect(throws: Never.self) { try loader.load(arguments: ["--url=https://a", "--key=abcd"], environment: [:]) }
        let error = refusal(.invalidValue) { try loader.load(arguments: ["--url=http://a"], environment: [:]) }
        #expect(error?.message == "the value is not an https URL")
        #expect(error?.source == "flag --url")
        let short = refusal(.invalidValue) { try loader.load(arguments: [], environment: ["X_KEY": "abc"]) }
        #expect(
            short?.description
                == "invalidValue in key (environment variable X_KEY): the value is not a key of 4 characters"
        )
    }

    @Test func structuresBecomeJSON() throws {
        let text = "static_sessions: {a: {t: true, f: 'false', n: ~, d: 1.5, i: 12, e: [], q: \"1\"}}"
        let configuration = try Sample.load(files: ["./irmaserver.yaml": text])
        let expected: JSONValue = [
            "a": [
                "t": true, "f": "false", "n": nil, "d": .number(try JSONNumber(text: "1.5")), "i": 12,
                "e": [], "q": "1",
            ]
        ]
        #expect(try configuration.value(of: Sample.staticSessions) == expected)
    }
}
#endif
