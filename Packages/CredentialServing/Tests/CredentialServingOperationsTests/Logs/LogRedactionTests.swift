#if Server
import CredentialServing
import CredentialServingOperations
import Foundation
import HTTPTypes
import JSONKit
import Logging
import Testing

@Suite struct LogRedactionTests {
    private func line(
        _ message: Logger.Message,
        _ metadata: Logger.Metadata = [:],
        redaction: LogRedaction = .strict,
        format: LineLogHandler.Format = .text
    ) -> String {
        let sink = LineSink()
        let logging = OperationsLogging(
            level: .trace,
            format: format,
            redaction: redaction,
            now: { Date(timeIntervalSince1970: 0.5) },
            write: sink.write
        )
        logging.logger(label: "t").info(message, metadata: metadata)
        return sink.text
    }

    @Test func keepsWhatIsKnownToBeHarmless() {
        let text = line("done", ["status": "200", "route": "/session/{token}", "method": "GET", "subject": "Alice"])
        #expect(
            text
                == "1970-01-01T00:00:00.500Z info t: done method=GET route=/session/{token} status=200 subject=<redacted>\n"
        )
    }

    @Test func keepsWhatTheServerNames() {
        let redaction = LogRedaction(keeping: ["scheme"], scrubbing: ["detail"])
        let text = line(
            "done",
            ["scheme": "irma-demo", "detail": "asked http://a.example/b for x"],
            redaction: redaction
        )
        #expect(text.hasSuffix("done detail=\"asked http://a.example/<redacted> for x\" scheme=irma-demo\n"))
        #expect(line("done", ["scheme": "irma-demo"]).hasSuffix("scheme=<redacted>\n"))
    }

    @Test(arguments: [
        ("started the server at port 8088", "started the server at port 8088"),
        ("https://issuer.example", "https://issuer.example"), ("https://issuer.example/", "https://issuer.example/"),
        ("https://issuer.example/a?b=c", "https://issuer.example/<redacted>"),
        ("(https://u:p@issuer.example/a)", "(https://<redacted>@issuer.example/<redacted>)"),
        ("/session/s3cr3tT0k3nAbCdEf123/status", "/session/<redacted>/status"),
        ("/session/x?token=abc", "/session/x?<redacted>"),
        ("/session/s3cr3tT0k3nAbCdEf123?token=abc", "/session/<redacted>?<redacted>"),
        ("s3cr3tT0k3nAbCdEf123&token=abc", "<redacted>&token=<redacted>"),
        ("Authorization: Bearer abc", "Authorization: Bearer <redacted>"),
        ("authorization: abc", "authorization: <redacted>"),
        ("Basic dTpw", "Basic <redacted>"), ("a digest or token mismatch", "a digest or token mismatch"),
        ("Authorization: Digest abc x", "Authorization: <redacted> <redacted> x"), ("token=abc&x", "token=<redacted>"),
        ("client_secret: abc", "client_secret: <redacted>"),
        ("id 0123456789abcdef", "id <redacted>"), ("id 0123456789abcde", "id 0123456789abcde"),
        ("\"AbCdEfGhIjKlMnOpQr\"", "\"<redacted>\""), ("CredentialServingOperations", "CredentialServingOperations"),
        ("invalidIssuerSignature in documents.0", "invalidIssuerSignature in documents.0"),
    ])
    func scrubsSentences(text: String, expected: String) {
        #expect(line("\(text)").hasSuffix(" t: \(expected)\n"))
    }

    private struct StrangeError: Error {
        let attribute: String
    }

    @Test func errorsShowTheirTypeUnlessTheyMayBeLogged() {
        func line(_ error: any Error, _ redaction: LogRedaction = .strict) -> String {
            let sink = LineSink()
            OperationsLogging(redaction: redaction, write: sink.write).logger(label: "t").info("failed", error: error)
            return sink.text
        }
        #expect(line(StrangeError(attribute: "Alice")).hasSuffix("failed error=StrangeError\n"))
        let known = ServingError(.notFound, "no route has the path", cause: StrangeError(attribute: "Alice"))
        #expect(line(known).hasSuffix("failed error=\"notFound: no route has the path (StrangeError)\"\n"))
        #expect(
            line(OperationsError(.missingValue, "no value", path: ["url"])).contains("missingValue in url: no value")
        )
        #expect(
            (try? LogRedaction.revealingSecrets(isProduction: false)).map { line(known, $0).contains("Alice") } == true
        )
    }

    @Test func keptValuesLoseTokens() {
        let text = line(
            "done",
            ["status": "s3cr3tT0k3nAbCdEf123", "route": "/oid4vp-request-objects", "remote": "2001:db8::1"]
        )
        #expect(text.hasSuffix("done remote=2001:db8::1 route=/oid4vp-request-objects status=<redacted>\n"))
    }

    @Test func forgesNoLines() {
        let text = line("a\nb", ["reason": "x\r\ny \"z\"", "k\ney": "v"])
        #expect(text.filter { $0 == "\n" }.count == 1)
        #expect(text.contains("a\\u{A}b"))
        #expect(text.contains("reason=\"x\\u{D}\\u{A}y \\\"z\\\"\""))
    }

    @Test func writesOneJSONObjectForEachEvent() throws {
        let text = line("a\nb", ["status": "200", "reason": ["x", "y"], "n": ["m": "secret"]], format: .json)
        let value = try JSONValue(parsing: text)
        #expect(text.filter { $0 == "\n" }.count == 1)
        #expect(value["message"] == "a\nb")
        #expect(value["level"] == "info")
        #expect(value["time"] == "1970-01-01T00:00:00.500Z")
        #expect(value["logger"] == "t")
        #expect(value["metadata"] == ["status": "200", "reason": ["x", "y"], "n": ["m": "<redacted>"]])
    }

    @Test func showsHeadersByNameAndBodiesBySize() {
        let fields: HTTPFields = [.contentType: "application/json", .authorization: "x", .userAgent: "wallet"]
        let text = line(
            "r",
            ["header": .headerFields(fields), "body": .body([1, 2, 3]), "path": .path("/a/b?c", pattern: nil)]
        )
        #expect(text.contains("content-type: application/json"))
        #expect(text.contains("authorization: <redacted>"))
        #expect(text.contains("user-agent: <redacted>"))
        #expect(text.contains("body=\"3 bytes\""))
        #expect(text.contains("path=\"path of 2 segments\""))
        #expect(line("r", ["path": .path("/a/b", pattern: "/a/{x}")]).contains("path=/a/{x}"))
    }

    @Test func writesNothingBelowTheLevel() {
        let sink = LineSink()
        let logger = OperationsLogging(level: .warning, write: sink.write).logger(label: "t")
        logger.notice("no")
        logger.warning("yes")
        #expect(sink.all.count == 1)
    }

    @Test func metadataOfLoggersStaysApart() {
        let sink = LineSink()
        let logger = OperationsLogging(write: sink.write).logger(label: "t")
        var other = logger
        other[metadataKey: "status"] = "1"
        logger.info("a")
        other.info("b", metadata: ["status": "2"])
        #expect(sink.all[0].hasSuffix(": a\n"))
        #expect(sink.all[1].hasSuffix(": b status=2\n"))
        #expect(other[metadataKey: "status"] == "1")
    }
}
#endif
