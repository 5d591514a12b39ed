#if Server
import CredentialServingOperations
import JSONKit
import Synchronization
import Testing

@Suite struct ConfigurationLoaderTests {
    private static let yaml = """
        port: 9000
        listen-addr: 127.0.0.1
        redis:
          addr: redis.example:6379
          pw: pa55
        redis_db: 3
        max_session_lifetime: 20
        disclose_perms: [a.b.*, "c"]
        requestors:
          shop.example:
            auth_method: token
            key: t0ken
          Bank:
            auth_method: hmac
            key_file: /run/bank
            disclose_perms: [irma-demo.*]
        static_sessions:
          door:
            request: {"@context": "x", "disclose": [[["a.b.c.d"]]], version: 1.10, n: 3}
        """
    private static let toml = """
        port = 9000
        listen-addr = "127.0.0.1"
        redis_db = 3
        max_session_lifetime = 20
        disclose_perms = ["a.b.*", "c"]
        [redis]
        addr = "redis.example:6379"
        pw = "pa55"
        [requestors."shop.example"]
        auth_method = "token"
        key = "t0ken"
        [requestors.Bank]
        auth_method = "hmac"
        key_file = "/run/bank"
        disclose_perms = ["irma-demo.*"]
        [static_sessions.door.request]
        "@context" = "x"
        disclose = [[["a.b.c.d"]]]
        version = 1.10
        n = 3
        """
    private static let json = """
        {"port": 9000, "listen-addr": "127.0.0.1", "redis": {"addr": "redis.example:6379", "pw": "pa55"}, "redis_db": 3,
         "max_session_lifetime": 20, "disclose_perms": ["a.b.*", "c"],
         "requestors": {"shop.example": {"auth_method": "token", "key": "t0ken"},
           "Bank": {"auth_method": "hmac", "key_file": "/run/bank", "disclose_perms": ["irma-demo.*"]}},
         "static_sessions": {"door": {"request":
           {"@context": "x", "disclose": [[["a.b.c.d"]]], "version": 1.1, "n": 3}}}}
        """

    @Test(arguments: [("yaml", yaml), ("toml", toml), ("json", json), ("yml", yaml)])
    func readsTheSameFromEveryFormat(ending: String, text: String) throws {
        let configuration = try Sample.load(files: ["./irmaserver.\(ending)": text, "/run/bank": "b4nk\n"])
        #expect(try configuration.value(of: Sample.port) == 9000)
        #expect(try configuration.value(of: Sample.address) == "127.0.0.1")
        #expect(try configuration.value(of: Sample.redisAddress) == "redis.example:6379")
        #expect(try configuration.value(of: Sample.redisPassword).withValue { $0 } == "pa55")
        #expect(try configuration.value(of: Sample.redisDatabase) == 3)
        #expect(try configuration.value(of: Sample.lifetime) == .seconds(1200))
        #expect(try configuration.value(of: Sample.disclosePermissions) == ["a.b.*", "c"])
        #expect(configuration.names(in: "requestors") == ["Bank", "shop.example"])
        #expect(try configuration.value(of: Sample.requestorMethod, named: "shop.example") == "token")
        #expect(try configuration.value(of: Sample.requestorKey, named: "shop.example").withValue { $0 } == "t0ken")
        #expect(try configuration.value(of: Sample.requestorKey, named: "Bank").withValue { $0 } == "b4nk")
        #expect(try configuration.value(of: Sample.requestorPermissions, named: "Bank") == ["irma-demo.*"])
        #expect(try configuration.valueIfPresent(of: Sample.requestorPermissions, named: "shop.example") == nil)
        let request = try configuration.value(of: Sample.staticSessions)["door"]?["request"]
        #expect(request?["disclose"]?[0]?[0]?[0] == "a.b.c.d")
        #expect(request?["n"] == 3)
        #expect(configuration.origin(of: Sample.port) == "./irmaserver.\(ending)")
    }

    @Test func flagsGoBeforeTheEnvironmentAndThatBeforeTheFile() throws {
        let files = ["./irmaserver.toml": "port = 1\nlisten_addr = \"file\"\nurl = \"file\""]
        let environment = ["IRMASERVER_PORT": "2", "IRMASERVER_LISTEN_ADDR": "environment", "PORT": "4"]
        let configuration = try Sample.load(["--port", "3"], environment: environment, files: files)
        #expect(try configuration.value(of: Sample.port) == 3)
        #expect(try configuration.value(of: Sample.address) == "environment")
        #expect(try configuration.value(of: Sample.url) == "file")
        #expect(try configuration.value(of: Sample.production) == false)
        #expect(configuration.origin(of: Sample.port) == "flag --port")
        #expect(configuration.origin(of: Sample.address) == "environment variable IRMASERVER_LISTEN_ADDR")
        #expect(configuration.origin(of: Sample.production) == nil)
    }

    @Test func aNamedTableComesWholeFromOneSource() throws {
        let files = ["./irmaserver.json": #"{"requestors": {"old": {"auth_method": "token", "key": "x"}}}"#]
        let json = #"{"new": {"auth_method": "hmac", "key": "y"}}"#
        let configuration = try Sample.load(environment: ["IRMASERVER_REQUESTORS": json], files: files)
        #expect(configuration.names(in: "requestors") == ["new"])
        #expect(try configuration.valueIfPresent(of: Sample.requestorMethod, named: "old") == nil)
        let flagged = try Sample.load(["--requestors", json], files: files)
        #expect(flagged.names(in: "requestors") == ["new"])
        let emptied = try Sample.load(["--requestors", "{}"], files: files)
        #expect(emptied.names(in: "requestors") == [])
    }

    @Test func takesTheFileOfTheFirstFolder() throws {
        let files = ["/etc/irmaserver/irmaserver.yaml": "port: 2", "./irmaserver.toml": "port = 1"]
        #expect(try Sample.load(files: files).value(of: Sample.port) == 1)
        let second = try Sample.load(files: ["/etc/irmaserver/irmaserver.yaml": "port: 2"])
        #expect(try second.value(of: Sample.port) == 2)
        #expect(try Sample.load().value(of: Sample.port) == 8088)
    }

    @Test func takesTheNamedFile() throws {
        let files = ["./irmaserver.toml": "port = 1", "/a/x.json": #"{"port": 5}"#, "/b.yml": "port: 6"]
        #expect(try Sample.load(["--config", "/a/x.json"], files: files).value(of: Sample.port) == 5)
        #expect(try Sample.load(["-c", "/a/x.json"], files: files).value(of: Sample.port) == 5)
        #expect(try Sample.load(["-c/a/x.json"], files: files).value(of: Sample.port) == 5)
        refusal(.duplicateKey) { try Sample.load(["-c", "/b.yml", "--config", "/a/x.json"], files: files) }
        let environment = ["IRMASERVER_CONFIG": "/b.yml"]
        #expect(try Sample.load(environment: environment, files: files).value(of: Sample.port) == 6)
        let both = try Sample.load(["--config=/a/x.json"], environment: environment, files: files)
        #expect(try both.value(of: Sample.port) == 5)
        refusal(.unreadableFile) { try Sample.load(["--config", "/none.toml"], files: files) }
        refusal(.malformedFile) { try Sample.load(["--config", "/x.ini"], files: ["/x.ini": ""]) }
    }

    @Test func refusesTwoFilesInOneFolder() {
        let error = refusal(.ambiguousFile) {
            try Sample.load(files: ["./irmaserver.toml": "", "./irmaserver.json": "{}"])
        }
        #expect(error?.message.contains("./irmaserver.json and ./irmaserver.toml") == true)
    }

    @Test func readsValuesFromFiles() throws {
        let files = ["/run/key": "s3cret\n", "/run/other": "other\r\n", "/run/blank": "two\n\n"]
        let configuration = try Sample.load(["--jwt-privkey-file", "/run/key"], files: files)
        #expect(try configuration.value(of: Sample.key).withValue { $0 } == "s3cret")
        let windows = try Sample.load(environment: ["IRMASERVER_JWT_PRIVKEY_FILE": "/run/other"], files: files)
        #expect(try windows.value(of: Sample.key).withValue { $0 } == "other")
        let blank = try Sample.load(["--jwt-privkey-file=/run/blank"], files: files)
        #expect(try blank.value(of: Sample.key).withValue { $0 } == "two\n")
        let replaced = try Sample.load(
            ["--jwt-privkey", "direct"],
            environment: ["IRMASERVER_JWT_PRIVKEY_FILE": "/gone"],
            files: files
        )
        #expect(try replaced.value(of: Sample.key).withValue { $0 } == "direct")
    }

    /// A certificate that is renewed while the program runs.
    @Test func readsTheFileOfAValueAgain() throws {
        let contents = Mutex<String?>("first\n")
        let files = ConfigurationFiles { path in
            path == "/key" ? contents.withLock { $0.map { Array($0.utf8) } } : nil
        }
        let schema = try Sample.schema()
        let outcome = try ConfigurationLoader(schema, files: files)
            .load(arguments: ["--jwt-privkey-file", "/key", "--url", "a"], environment: [:])
        guard case .configuration(let configuration) = outcome else { throw Sample.HelpRequested() }
        #expect(configuration.file(of: Sample.key) == "/key")
        contents.withLock { $0 = "second\n" }
        #expect(try configuration.value(of: Sample.key).withValue { $0 } == "first")
        #expect(try configuration.currentValueIfPresent(of: Sample.key)?.withValue { $0 } == "second")
        contents.withLock { $0 = nil }
        let error = refusal(.unreadableFile) { try configuration.currentValueIfPresent(of: Sample.key) }
        #expect(error?.path == ["jwt_privkey"])
        #expect(error?.source == "flag --jwt-privkey-file, file /key")
        // What stands in the source, and a default, do not change.
        #expect(configuration.file(of: Sample.url) == nil)
        #expect(try configuration.currentValueIfPresent(of: Sample.url) == "a")
        #expect(try configuration.currentValueIfPresent(of: Sample.port) == 8088)
    }

    @Test func refusesMissingAndDoubledValueFiles() {
        let error = refusal(.unreadableFile) { try Sample.load(["--jwt-privkey-file", "/none"]) }
        #expect(error?.path == ["jwt_privkey"])
        #expect(error?.source == "flag --jwt-privkey-file")
        refusal(.duplicateKey) {
            try Sample.load(["--jwt-privkey-file", "/k", "--jwt-privkey", "x"], files: ["/k": "y"])
        }
        let long = String(repeating: "x", count: ConfigurationFiles.maximumSize)
        #expect(throws: Never.self) { try Sample.load(["--jwt-privkey-file", "/k"], files: ["/k": long]) }
        refusal(.unreadableFile) { try Sample.load(["--jwt-privkey-file", "/k"], files: ["/k": long + "x"]) }
        refusal(.unreadableFile) { try Sample.load(files: ["./irmaserver.toml": "#" + long]) }
    }

    @Test func tellsEveryFaultAtOnce() throws {
        let error = refusal(.unknownKey) {
            try Sample.load(
                ["--port", "70000"],
                environment: ["IRMASERVER_PRODUCTION": "maybe"],
                files: ["./irmaserver.toml": "prot = 1\nredis.db = 99"]
            )
        }
        let all = [error].compactMap { $0 } + (error?.others ?? [])
        #expect(all.count == 4)
        #expect(Set(all.map(\.path)) == [["prot"], ["port"], ["production"], ["redis", "db"]])
        #expect(error?.description.split(separator: "\n").count == 4)
    }

    @Test func refusesMissingRequiredValues() throws {
        let key = ConfigurationKey.text("url", help: "URL.", isRequired: true)
        let schema = try ConfigurationSchema(name: "x", [key.declaration])
        let loader = ConfigurationLoader(schema, files: .inMemory([:]))
        let error = refusal(.missingValue) { try loader.load(arguments: [], environment: [:]) }
        #expect(error?.message == "no value; give one with --url or X_URL")
        guard case .configuration(let configuration) = try loader.load(arguments: ["--url=a"], environment: [:]) else {
            Issue.record("asked for no help")
            return
        }
        #expect(try configuration.value(of: key) == "a")
    }

    @Test func readsFilesOfThisMachine() throws {
        #expect(throws: Never.self) {
            let loader = ConfigurationLoader(try Sample.schema(), folders: ["/nonexistent-folder"])
            _ = try loader.load(arguments: [], environment: [:])
        }
        refusal(.unreadableFile) {
            try ConfigurationLoader(try Sample.schema()).load(arguments: ["--config", "/tmp"], environment: [:])
        }
    }
}
#endif
