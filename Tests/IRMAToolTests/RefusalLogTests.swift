#if Server
import CredentialServing
import CredentialServingOperations
import Foundation
import HTTPTypes
import Logging
import ServerSupport
import Synchronization
import TestSupport
import Testing

/// An operator sees that calls of requestors are refused, and strangers do not fill the log.
@Suite struct RefusalLogTests {
    private static let token = "a-token-that-nobody-has-2c9f4e71"

    @Test func tellsOfRefusalsFromTimeToTime() async throws {
        let lines = Mutex<[String]>([])
        let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let clock = SessionClock(now: { time.withLock { $0 } }, timer: ManualClock())
        let logging = OperationsLogging(write: { line in lines.withLock { $0.append(line) } })
        let log = RefusalLog(
            of: [401],
            saying: "a call was refused: its token is missing or unknown",
            logger: logging.logger(label: "test"),
            clock: clock
        )
        let engine = try RoutedEngine([
            .get("/refused") { _ in ServerResponse(.unauthorized) },
            .get("/forbidden") { _ in ServerResponse(.forbidden) },
        ])
        let server = InMemoryServer(log.observing(engine))
        func lineCount(after path: String, in seconds: TimeInterval) async throws -> Int {
            time.withLock { $0 += seconds }
            _ = try await server.response(
                to: InMemoryRequest(.get, path, headerFields: [.authorization: "Bearer " + Self.token])
            )
            return lines.withLock { $0.count }
        }
        #expect(try await lineCount(after: "/forbidden", in: 0) == 0)
        #expect(try await lineCount(after: "/refused", in: 0) == 1)
        #expect(try await lineCount(after: "/refused", in: 5) == 1)
        #expect(try await lineCount(after: "/refused", in: 4) == 1)
        #expect(try await lineCount(after: "/refused", in: 1) == 2)
        // A clock that is set back does not silence it.
        #expect(try await lineCount(after: "/refused", in: -3600) == 3)
        let told = lines.withLock { $0 }
        try #require(told.count == 3)
        #expect(told[0].contains("notice") && told[0].contains("its token is missing or unknown"), "\(told[0])")
        #expect(told[0].contains("count=1") && told[1].contains("count=3") && told[2].contains("count=1"), "\(told)")
        #expect(!told.joined().contains("2c9f4e71"), "\(told)")
    }
}
#endif
