#if Server
import CredentialServing
import CredentialServingOperations
import HTTPTypes
import Logging
import Testing

/// Plants secrets in every place of a log, and greps the output for them.
@Suite struct PlantedSecretTests {
    private static let secrets = [
        "s3cr3tT0k3nAbCdEf123", "Wilhelmina-Attribute", "hunter2-Pa55",
        "eyJhbGciOiJub25lIn0.eyJzdWIiOiJwbGFudGVkIn0.c2ln",
    ]

    private struct LeakyError: Error, CustomStringConvertible {
        let description: String
    }

    /// Logs a secret in every way that callers could.
    private func logEverywhere(_ secret: String, _ logger: Logger, _ level: Logger.Level) throws {
        var logger = logger
        logger[metadataKey: "claims"] = "\(secret)"
        logger[metadataKey: "nested"] = ["status": ["value": "\(secret)"], "list": ["\(secret)", ["x": "\(secret)"]]]
        let name = try #require(HTTPField.Name("X-Session"))
        var fields: HTTPFields = [
            .authorization: "Bearer \(secret)", .cookie: "session=\(secret)", .contentType: "text/plain",
        ]
        fields[name] = secret
        fields[.referer] = "https://shop.example/\(secret)"
        logger.log(
            level: level,
            "event",
            metadata: [
                "attribute": "\(secret)", "token": .string(secret), "status": .sensitive(secret),
                "route": .stringConvertible(Sensitive(secret)), "header": .headerFields(fields),
                "body": .body(Array(secret.utf8)), "path": .path("/session/\(secret)/status?t=\(secret)", pattern: nil),
                "error": "\(LeakyError(description: "refused: authorization: Bearer \(secret)"))",
                "reason": "GET https://user:\(secret)@host.example/a/\(secret)?token=\(secret) failed",
                "\(secret)": "value", "array": .array([.string(secret), .stringConvertible(Sensitive([secret]))]),
            ]
        )
        logger.log(level: level, "sent Authorization: Bearer \(secret) to https://host.example/session/\(secret)")
        logger.log(level: level, "failed", error: LeakyError(description: "password=\(secret) token: \(secret)"))
    }

    @Test(arguments: Logger.Level.allCases, LineLogHandler.Format.allCases)
    func noLevelShowsASecret(level: Logger.Level, format: LineLogHandler.Format) throws {
        for secret in Self.secrets {
            let sink = LineSink()
            let provider = Logger.MetadataProvider { ["subject": "\(secret)"] }
            let logging = OperationsLogging(
                level: .trace,
                format: format,
                metadataProvider: provider,
                write: sink.write
            )
            // A name in metadata is the program's: only what looks like a token is struck out of it.
            try logEverywhere(secret, logging.logger(label: "test"), level)
            let text = sink.text.split(separator: "\n").joined()
            #expect(sink.all.count == 3)
            #expect(text.contains("<redacted>") || text.contains("\\u003credacted"))
            let isName = secret == "Wilhelmina-Attribute" || secret == "hunter2-Pa55"
            let shown =
                isName ? text.replacing("\(secret)=<redacted>", with: "").replacing("\"\(secret)\":", with: "") : text
            #expect(!shown.contains(secret), "\(level) \(format): \(shown)")
        }
    }

    /// The grep finds the secrets where the rule is off, so that the test above can fail.
    @Test func theRevealingRuleShowsThem() throws {
        for secret in Self.secrets {
            let sink = LineSink()
            let redaction = try LogRedaction.revealingSecrets(isProduction: false)
            let logging = OperationsLogging(level: .trace, redaction: redaction, write: sink.write)
            try logEverywhere(secret, logging.logger(label: "test"), .trace)
            #expect(sink.text.components(of: secret) > 10)
            #expect(sink.text.contains("status=\(secret)"))
        }
    }

    @Test func productionRefusesTheRevealingRule() {
        refusal(.refusedInProduction) { try LogRedaction.revealingSecrets(isProduction: true) }
    }

    @Test func aSensitiveValueIsStruckOutWithoutTheHandlerToo() {
        let sink = LineSink()
        let logger = Logger(label: "plain") { LineLogHandler(label: $0, write: sink.write) }
        logger.info("event", metadata: ["key": .sensitive("s3cr3t")])
        #expect(sink.text.contains("key=<redacted>"))
        #expect(!sink.text.contains("s3cr3t"))
    }
}

extension String {
    /// The number of times that a text occurs.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
#endif
