#if Server
import CredentialServingOperations
import CredentialTransport
import ServerSupport
import Synchronization
import Testing

/// An operator sees which requestor's server is away, and nothing of the URL that may be a secret.
@Suite struct LoggedCallbacksTests {
    private func log(of handler: @escaping InMemoryHTTPTransport.Handler) async throws -> [String] {
        let lines = Mutex<[String]>([])
        let logging = OperationsLogging(write: { line in lines.withLock { $0.append(line) } })
        let open = AddressGuard(allowing: [.loopback], literalAddresses: true, plainHTTP: true, ports: .any)
        let failures = Mutex(0)
        let transport = LoggedCallbacks(
            InMemoryHTTPTransport(addressGuard: open, handler: handler),
            logger: logging.logger(label: "test"),
            countingFailures: { failures.withLock { $0 += 1 } }
        )
        let url = try HTTPURL("http://127.0.0.1:1/result/a-path-that-is-a-secret")
        _ = try? await transport.response(to: .post(url, body: [], type: .json, accepting: .any))
        let lineCount = lines.withLock { $0.count }
        #expect(failures.withLock { $0 } == lineCount)
        return lines.withLock { $0 }
    }

    @Test func tellsOfAFailure() async throws {
        let told = try await log { _ throws(TransportError) in
            throw TransportError(.connectionFailed, "nobody listens")
        }
        #expect(told.count == 1)
        let line = try #require(told.first)
        #expect(line.contains("127.0.0.1") && line.contains("nobody listens"), "\(line)")
        #expect(!line.contains("secret"), "\(line)")
    }

    /// A server asks before it takes a URL: the rules are those of the transport.
    @Test func refusesTheURLsOfTheTransport() throws {
        let logging = OperationsLogging(write: { line in Issue.record("\(line)") })
        let base = InMemoryHTTPTransport { _ in InMemoryHTTPAnswer(status: 200) }
        let transport = LoggedCallbacks(base, logger: logging.logger(label: "test"))
        try transport.requireAllowed(HTTPURL("https://shop.example/"))
        #expect(throws: TransportError.self) { try transport.requireAllowed(HTTPURL("http://shop.example/")) }
    }

    @Test func keepsQuietOfAnAnswer() async throws {
        #expect(try await log { _ in InMemoryHTTPAnswer(status: 200) }.isEmpty)
    }
}
#endif
