import CredentialTransport
import Foundation
import Synchronization
import Testing

/// An operator sees what clients fetch, refuse and keep.
@Suite struct TransportObserverTests {
    /// The lines of the events that came.
    private final class Log: Sendable {
        private let events = Mutex<[TransportEvent]>([])

        var kinds: [TransportEvent.Kind] { events.withLock { $0.map(\.kind) } }
        var last: TransportEvent? { events.withLock { $0.last } }

        func observer() -> TransportObserver {
            TransportObserver { event in self.events.withLock { $0.append(event) } }
        }
    }

    private let log = Log()

    private func transport(_ answers: [String: InMemoryHTTPAnswer]) -> ObservedHTTPTransport {
        ObservedHTTPTransport(InMemoryHTTPTransport(answers), observer: log.observer(), clock: InstantClock())
    }

    @Test func tellsAnAnswerWithoutItsQueryAndBody() async throws {
        let url = "https://issuer.example/lists/1?token=secret"
        let transport = transport([url: .ok(Array("{}".utf8), type: .json)])
        let response = try await transport.response(to: .get(try HTTPURL(url), accepting: [.json]))
        #expect(response.body == Array("{}".utf8))
        let event = try #require(log.last)
        #expect(event.kind == .fetched && event.status == 200 && event.size == 2)
        #expect(event.subject == "https://issuer.example/lists/1")
        #expect(!"\(event)".contains("secret"))
    }

    @Test func tellsARefusalWithItsReason() async throws {
        let transport = transport([:])
        await #expect(throws: TransportError.self) {
            try await transport.response(to: .get(try HTTPURL("https://issuer.example/x"), accepting: [.json]))
        }
        let missing = try #require(log.last)
        #expect(missing.kind == .refused && missing.status == 404)
        await #expect(throws: TransportError.self) {
            try await transport.response(to: .get(try HTTPURL("https://127.0.0.1/x"), accepting: [.json]))
        }
        #expect(try #require(log.last?.reason).hasPrefix("literalAddressNotAllowed"))
        await #expect(throws: TransportError.self) {
            _ = try await transport.stream(for: .get(try HTTPURL("https://127.0.0.1/x"), accepting: [.json]))
        }
        #expect(log.kinds == [.refused, .refused, .refused])
    }

    @Test func observesConnectionsThatAreKept() async throws {
        let url = try HTTPURL("https://issuer.example/x")
        let kept = transport([url.description: .ok([], type: .json)]).keepingConnection(to: url)
        _ = try await kept.response(to: .get(url, accepting: [.json]))
        await kept.close()
        #expect(log.kinds == [.fetched])
    }

    @Test func tellsWhatACacheDoes() async throws {
        let options = DocumentCacheOptions(
            minimumLifetime: 1,
            defaultLifetime: 10,
            stalePeriod: 100,
            observer: log.observer()
        )
        let cache = DocumentCache<String, Int, TransportError>(options: options) { _ in true }
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let fetch: @Sendable () async throws(TransportError) -> FetchedDocument<Int> = {
            () throws(TransportError) in FetchedDocument(7, size: 1)
        }
        let fail: @Sendable () async throws(TransportError) -> FetchedDocument<Int> = { () throws(TransportError) in
            throw TransportError(.connectionFailed, "no connection")
        }
        _ = try await cache.document(for: "list", at: start, fetch: fetch)
        _ = try await cache.document(for: "list", at: start + 5, fetch: fail)
        #expect(try await cache.document(for: "list", at: start + 50, fetch: fail).isStale)
        #expect(log.kinds == [.fetched, .kept, .refused, .stale])
        #expect(log.last?.subject == "list")
        await #expect(throws: TransportError.self) { try await cache.document(for: "other", at: start, fetch: fail) }
        await #expect(throws: TransportError.self) {
            try await cache.document(for: "other", at: start + 1, fetch: fetch)
        }
        #expect(log.kinds.suffix(2) == [.refused, .postponed])
    }
}
