#if Server
import CredentialServingOperations
import Testing

@Suite struct UnknownKeyTests {
    @Test(arguments: [
        ("prot", "port"), ("redis_adr", "redis_addr"), ("max_sesion_lifetime", "max_session_lifetime"),
        ("jwt_privkey_fil", "jwt_privkey_file"), ("requestor", "requestors"),
    ])
    func namesTheNearestKey(name: String, nearest: String) {
        let file = refusal(.unknownKey) { try Sample.load(files: ["./irmaserver.toml": "\(name) = 1"]) }
        #expect(file?.path == [name])
        #expect(file?.source == "./irmaserver.toml")
        #expect(file?.message == "unknown key; the nearest known key is \(nearest)")
        let variable = "IRMASERVER_" + name.uppercased()
        let environment = refusal(.unknownKey) { try Sample.load(environment: [variable: "1"]) }
        #expect(environment?.source == "environment variable " + variable)
        #expect(environment?.message.hasSuffix(" IRMASERVER_" + nearest.uppercased()) == true)
        let flag = "--" + String(name.map { $0 == "_" ? "-" : $0 })
        let flags = refusal(.unknownKey) { try Sample.load([flag, "1"]) }
        #expect(flags?.source == "flag " + flag)
        #expect(flags?.message.hasSuffix(" --" + String(nearest.map { $0 == "_" ? "-" : $0 })) == true)
    }

    @Test func namesTheNearestKeyOfANestedTable() {
        let text = #"{"requestors": {"shop": {"auth_metod": "token"}}}"#
        let error = refusal(.unknownKey) { try Sample.load(files: ["./irmaserver.json": text]) }
        #expect(error?.path == ["requestors", "shop", "auth_metod"])
        #expect(error?.message == "unknown key; the nearest known key is requestors.shop.auth_method")
        let redis = refusal(.unknownKey) { try Sample.load(files: ["./irmaserver.yaml": "redis: {passwd: x}"]) }
        #expect(redis?.path == ["redis", "passwd"])
    }

    @Test func namesNoKeyUnlikeAnyOther() {
        #expect(refusal(.unknownKey) { try Sample.load(["--xyzzy"]) }?.message == "unknown flag")
        #expect(refusal(.unknownKey) { try Sample.load(["-x"]) }?.message == "unknown flag")
    }

    @Test func refusesArgumentsThatAreNoFlags() {
        let error = refusal(.unknownKey) { try Sample.load(["--production", "pa55word"]) }
        #expect(error?.message == "argument 2 is not a flag")
        refusal(.unknownKey) { try Sample.load(["--"]) }
        refusal(.unknownKey) { try Sample.load(["-"]) }
    }

    @Test func ignoresVariablesOfOthers() throws {
        let environment = ["IRMASERVER_SERVICE_HOST": "10.0.0.1", "IRMA_PORT": "1", "irmaserver_port": "1"]
        refusal(.unknownKey) { try Sample.load(environment: environment) }
        let configuration = try Sample.load(environment: environment, ignoring: ["IRMASERVER_SERVICE_HOST"])
        #expect(try configuration.value(of: Sample.port) == 8088)
    }

    @Test func refusesConflictingDeclarations() {
        let text = ConfigurationKey.text("a.b", help: "").declaration
        let conflicts = [
            [text, ConfigurationKey.text("a_b", help: "").declaration],
            [text, ConfigurationKey.text("c", help: "", aliases: ["A-B"]).declaration],
            [
                ConfigurationKey.secret("k", help: "").declaration,
                ConfigurationKey.text("k_file", help: "").declaration,
            ],
            [
                ConfigurationKey.text("x", help: "", letter: "x").declaration,
                ConfigurationKey.text("y", help: "", letter: "x").declaration,
            ],
            [ConfigurationKey.text("help", help: "").declaration],
            [ConfigurationKey.text("config", help: "").declaration],
            [ConfigurationKey.text("x", help: "", letter: "h").declaration],
            [
                ConfigurationKey.text("t.*.k", help: "").declaration,
                ConfigurationKey.text("t", help: "").declaration,
            ],
            [
                ConfigurationKey.text("t.*.k", help: "").declaration,
                ConfigurationKey.text("T.*.K", help: "").declaration,
            ],
        ]
        for declarations in conflicts {
            refusal(.conflictingKeys) { try ConfigurationSchema(name: "x", declarations) }
        }
        for path in ["", "a..b", "*.a", "a.*"] {
            refusal(.invalidName) {
                try ConfigurationSchema(name: "x", [ConfigurationKey.text(path, help: "").declaration])
            }
        }
    }

    @Test func refusesReadingUndeclaredKeys() throws {
        let configuration = try Sample.load()
        refusal(.unknownKey) { try configuration.value(of: ConfigurationKey.text("other", help: "")) }
        refusal(.missingValue) { try configuration.value(of: Sample.url) }
        refusal(.invalidValue) {
            try Sample.load(["--url", "x"]).value(of: ConfigurationKey.integer("url", in: 0...1, help: ""))
        }
    }
}
#endif
