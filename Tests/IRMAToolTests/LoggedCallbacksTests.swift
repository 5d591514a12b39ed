#if Server
import CredentialServingOperations
import CredentialTransport
import Synchronization
import Testing

@testable import IRMATool

/// An operator sees which requestor's server is away, and nothing of the URL that may be a secret.
@Suite struct LoggedCallbacksTests {
    private func log(of handler: @escaping InMemoryHTTPTransport.Handler) async throws -> [String] {
        let lines = Mutex<[String]>([])
        let logging = OperationsLogging(write: { line in lines.withLock { $0.append(line) } })
        let open = AddressGuard(allowing: [.loopback], literalAddresses: true, plainHTTP: true, ports: .any)
        let transport = LoggedCallbacks(
            InMemoryHTTPTransport(addressGuard: open, handler: handler),
            logger: logging.logger(label: "test")
        )
        let url = try HTTPURL("http://127.0.0.1:1/result/a-path-that-is-a-secret")
        _ = try? await transport.response(to: .post(url, body: [], type: .json, accepting: .any))
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

    @Test func keepsQuietOfAnAnswer() async throws {
        #expect(try await log { _ in InMemoryHTTPAnswer(status: 200) }.isEmpty)
    }
}
#endif
