#if Server
import Configuration
import CredentialServingOperations
import Foundation
import Testing

@Suite struct ConfigurationProviderTests {
    @Test func aReaderSeesTheSamePrecedence() throws {
        let configuration = try Sample.load(
            ["--port", "3"],
            environment: ["IRMASERVER_PORT": "2", "IRMASERVER_LISTEN_ADDR": "environment"],
            files: [
                "./irmaserver.toml":
                    "port = 1\nurl = \"file\"\nmax_session_lifetime = 20\nredis.db = 4\nproduction = true"
            ]
        )
        let reader = configuration.reader
        #expect(reader.int(forKey: "port") == 3)
        #expect(reader.string(forKey: "listen_addr") == "environment")
        #expect(reader.string(forKey: "url") == "file")
        #expect(reader.int(forKey: "max_session_lifetime") == 20)
        #expect(reader.int(forKey: "redis.db") == 4)
        #expect(reader.scoped(to: "redis").int(forKey: "db") == 4)
        #expect(reader.bool(forKey: "production") == true)
        #expect(reader.string(forKey: "redis.addr") == nil)
        #expect(reader.string(forKey: "no.such.key", default: "x") == "x")
        #expect(throws: (any Error).self) { try reader.requiredInt(forKey: "url") }
        #expect(throws: (any Error).self) { try reader.requiredInt(forKey: "redis.addr") }
    }

    @Test func secretsAreMarkedForReaders() throws {
        let configuration = try Sample.load(["--redis-pw", "x", "--redis-db", "1"])
        let source = try #require(configuration.sources.first)
        let secret = try source.value(forKey: AbsoluteConfigKey(["redis", "pw"]), type: .string)
        #expect(secret.value?.isSecret == true)
        #expect(secret.value.map { "\($0)" } == "[string: <REDACTED>]")
        #expect(try source.value(forKey: AbsoluteConfigKey(["redis", "db"]), type: .int).value?.isSecret == false)
    }

    @Test func readsTOMLForOtherReaders() async throws {
        let path = NSTemporaryDirectory() + "/operations-\(UUID().uuidString).toml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text = """
            name = "x"
            [http]
            port = 8080
            ratio = 0.5
            secure = true
            hosts = ["a", "b"]
            ports = [1, 2]
            secret = "s3cret"
            at = 1979-05-27
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let options = TOMLSnapshot.ParsingOptions(secretsSpecifier: .specific(["http.secret"]))
        let provider = try await FileProvider<TOMLSnapshot>(parsingOptions: options, config: file(path))
        let reader = ConfigReader(provider: provider)
        #expect(reader.string(forKey: "name") == "x")
        #expect(reader.int(forKey: "http.port") == 8080)
        #expect(reader.double(forKey: "http.ratio") == 0.5)
        #expect(reader.bool(forKey: "http.secure") == true)
        #expect(reader.stringArray(forKey: "http.hosts") == ["a", "b"])
        #expect(reader.intArray(forKey: "http.ports") == [1, 2])
        #expect(reader.string(forKey: "http.at") == "1979-05-27" || reader.string(forKey: "http.at") != nil)
        #expect(reader.string(forKey: "http.none") == nil)
        #expect(throws: (any Error).self) { try reader.requiredInt(forKey: "name") }
        let lookup = try provider.value(forKey: AbsoluteConfigKey(["http", "secret"]), type: .string)
        #expect(lookup.value?.isSecret == true)
        #expect(!String(reflecting: provider).contains("s3cret"))
    }

    /// The name of the file as a provider reads it.
    private func file(_ path: String) -> ConfigReader {
        ConfigReader(provider: InMemoryProvider(values: ["filePath": ConfigValue(.string(path), isSecret: false)]))
    }

    @Test func refusesMalformedTOML() async throws {
        let path = NSTemporaryDirectory() + "/operations-\(UUID().uuidString).toml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("a = ".utf8).write(to: URL(fileURLWithPath: path))
        await #expect(throws: OperationsError.self) { _ = try await FileProvider<TOMLSnapshot>(config: file(path)) }
    }
}
#endif
