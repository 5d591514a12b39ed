#if Server
import CredentialServingOperations
import Testing

@Suite struct ConfigurationSecretTests {
    private let secret = "hunter2-planted"

    private func configuration() throws -> ServerConfiguration {
        let files = [
            "./irmaserver.json":
                #"{"requestors": {"shop": {"auth_method": "token", "key": "hunter2-planted"}}, "port": 1}"#,
            "/run/key": "hunter2-planted",
        ]
        return try Sample.load(["--redis-pw", secret, "--jwt-privkey-file", "/run/key"], files: files)
    }

    @Test func printsNoSecret() throws {
        let configuration = try configuration()
        var dumped = ""
        dump(configuration, to: &dumped)
        dump(configuration.sources, to: &dumped)
        dump(try configuration.value(of: Sample.redisPassword), to: &dumped)
        let texts = [
            configuration.description, "\(configuration)", String(reflecting: configuration), dumped,
            String(describing: configuration.sources), String(reflecting: configuration.sources),
            String(describing: configuration.reader), String(reflecting: configuration.reader),
            "\(try configuration.value(of: Sample.redisPassword))",
            String(reflecting: try configuration.value(of: Sample.redisPassword)),
            "\(String(describing: Mirror(reflecting: try configuration.value(of: Sample.key)).children.map(\.value)))",
        ]
        for text in texts { #expect(!text.contains(secret), "\(text.prefix(200))") }
        #expect(try configuration.value(of: Sample.redisPassword).withValue { $0 } == secret)
    }

    @Test func describesValuesWithTheirSources() throws {
        let lines = try configuration().description.split(separator: "\n")
        #expect(lines.contains("port = 1 (./irmaserver.json)"))
        #expect(lines.contains("redis.pw = <redacted> (flag --redis-pw)"))
        #expect(lines.contains("jwt_privkey = <redacted> (flag --jwt-privkey-file, file /run/key)"))
        #expect(lines.contains("requestors.shop.key = <redacted> (./irmaserver.json)"))
    }

    @Test(arguments: [
        ["--redis-pw", "hunter2-planted", "--redis-pw", "hunter2-planted"], ["--redis-pww=hunter2-planted"],
        ["--redis-pww", "hunter2-planted"], ["--port", "1", "hunter2-planted"],
        ["--requestors", #"{"a": {"key": ["hunter2-planted"]}}"#],
        ["--requestors", #"{"a": {"key": "hunter2-planted" x}}"#],
        ["--static-sessions", "{hunter2-planted"], ["--jwt-privkye", "-----BEGIN PRIVATE KEY-----\nhunter2-planted"],
        ["-----BEGIN PRIVATE KEY-----\nhunter2-planted==\n"], ["--jwt-privkey", "x", "-----hunter2-planted"],
    ])
    func errorsShowNoSecret(arguments: [String]) {
        let error = #expect(throws: OperationsError.self) { try Sample.load(arguments) }
        var text = error?.description ?? ""
        dump(error, to: &text)
        #expect(!text.contains(secret), "\(text)")
    }

    /// Without a file, a key in PEM is the value of a flag.
    @Test func secretsMayBeginWithDashes() throws {
        let pem = "-----BEGIN PRIVATE KEY-----\nhunter2-planted\n-----END PRIVATE KEY-----\n"
        for arguments in [["--jwt-privkey", pem], ["--jwt-privkey=\(pem)"]] {
            #expect(try Sample.load(arguments).value(of: Sample.key).withValue { $0 } == pem)
        }
        #expect(try Sample.load(["--redis-pw", "--x"]).value(of: Sample.redisPassword).withValue { $0 } == "--x")
        refusal(.missingArgument) { try Sample.load(["--url", "--production"]) }
        refusal(.missingArgument) { try Sample.load(["--redis-pw"]) }
    }

    @Test func escapesControlCharactersOfValues() {
        let error = refusal(.invalidValue) { try Sample.load(["--port", "1\n2 ERROR forged"]) }
        #expect(error?.description.contains("\n") == false)
    }
}
#endif
