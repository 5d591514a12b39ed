#if Server
import CredentialServing
import CredentialServingOperations
import Logging
import Testing

@Suite struct OperationsSettingsTests {
    private func settings(_ arguments: [String] = [], isProduction: Bool = false) throws -> OperationsSettings {
        let loader = ConfigurationLoader(
            try ConfigurationSchema(name: "x", OperationsKeys.declarations),
            files: .inMemory([:])
        )
        guard case .configuration(let configuration) = try loader.load(arguments: arguments, environment: [:]) else {
            throw Sample.HelpRequested()
        }
        return try OperationsSettings(configuration, isProduction: isProduction)
    }

    @Test func defaultsAreSafe() throws {
        let settings = try settings(isProduction: true)
        #expect(settings.logLevel == .info)
        #expect(settings.logFormat == .text)
        #expect(!settings.redaction.reveals)
        #expect(settings.address == "127.0.0.1")
        #expect(settings.port == nil)
        #expect(settings.drainTime == .seconds(5))
        #expect(settings.limit == nil)
    }

    @Test func readsLevels() throws {
        #expect(try settings(["-v"]).logLevel == .debug)
        #expect(try settings(["-vv"]).logLevel == .trace)
        #expect(try settings(["-q"]).logLevel == .critical)
        let error = refusal(.invalidValue) { try settings(["-vq"]) }
        #expect(error?.source == "flag -q")
    }

    @Test func productionRefusesALogWithSecrets() throws {
        #expect(try settings(["--log-secrets"]).redaction.reveals)
        refusal(.refusedInProduction) { try settings(["--log-secrets"], isProduction: true) }
    }

    @Test func readsLimitsAndListener() throws {
        let settings = try settings([
            "--limits-requests=100", "--limits-period", "10s", "--limits-burst=5", "--limits-clients=7",
            "--operations-port=0", "--operations-listen-addr=::1", "--operations-drain-time=0",
        ])
        #expect(settings.limit == (try RateLimit(100, per: .seconds(10), burst: 5)))
        #expect(settings.maximumClients == 7)
        #expect(settings.port == 0)
        #expect(settings.address == "::1")
        #expect(settings.drainTime == .zero)
    }

    @Test func refusesLimitsThatNoClockKeeps() {
        let error = refusal(.invalidValue) {
            try settings(["--limits-requests=1", "--limits-period=24h", "--limits-burst=366"])
        }
        #expect(error?.source == "flag --limits-requests")
    }

    @Test func logsByItsSettings() throws {
        let sink = LineSink()
        let logger = try settings(["--log-json"]).logging(write: sink.write).logger(label: "t")
        RequestNote.$current.withValue(RequestNote(identifier: "r1")) {
            logger.info("x", metadata: ["claim": "Alice"])
            logger.debug("y")
        }
        #expect(sink.all.count == 1)
        #expect(sink.text.hasPrefix("{"))
        #expect(sink.text.contains("\"request.id\":\"r1\""))
        #expect(!sink.text.contains("Alice"))
    }
}
#endif
