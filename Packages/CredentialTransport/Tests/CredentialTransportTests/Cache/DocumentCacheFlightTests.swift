import CredentialTransport
import Foundation
import Synchronization
import Testing

/// Requests that callers of a document cache share.
@Suite struct DocumentCacheFlightTests {
    private typealias Cache = DocumentCache<String, Int, TransportError>

    private let gate = Gate()
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let cancelled = TransportError(.cancelled, "the task was cancelled")

    /// Asks for the document of a key in a task of its own; the request waits at the gate.
    private func caller(
        _ cache: Cache,
        _ value: Int,
        after seconds: TimeInterval = 0,
        isSufficient: @escaping @Sendable (Int) -> Bool = { _ in true }
    ) -> Task<Int, any Error> {
        let (gate, time) = (gate, start.addingTimeInterval(seconds))
        return Task {
            try await cache.document(for: "a", at: time, isSufficient: isSufficient) {
                () async throws(TransportError) in
                await gate.pass()
                guard value >= 0 else { throw TransportError(.connectionFailed, "no connection") }
                return FetchedDocument(value, size: 1)
            }.value
        }
    }

    @Test(arguments: [0.0, 60]) func manyCallersMakeOneRequest(minimumLifetime: TimeInterval) async throws {
        let options = DocumentCacheOptions(minimumLifetime: minimumLifetime, defaultLifetime: 100, timeTolerance: 0)
        let cache = Cache(options: options)
        let callers = (1...50).map { caller(cache, $0) }
        await gate.wait(for: 1)
        gate.open()
        var values: Set<Int> = []
        for caller in callers { values.insert(try await caller.value) }
        #expect(values.count == 1)
        #expect(gate.arrivals == 1)
    }

    /// The choice is made when the document arrives, over what was kept meanwhile.
    @Test func choosesBetweenAFetchedDocumentAndTheOneKeptMeanwhile() async throws {
        let options = DocumentCacheOptions(minimumLifetime: 0, defaultLifetime: 100)
        for (fetched, kept, chosen) in [(1, 2, 2), (2, 1, 2), (1, nil, 1)] as [(Int, Int?, Int)] {
            let cache = Cache(options: options)
            let gate = Gate()
            let time = start
            let caller = Task {
                try await cache.document(
                    for: "a",
                    at: time,
                    choosing: { fetched, kept in
                        kept > fetched.value ? FetchedDocument(kept, lifetime: 50, size: 1) : fetched
                    },
                    fetch: { () async throws(TransportError) in
                        await gate.pass()
                        return FetchedDocument(fetched, lifetime: 50, size: 1)
                    }
                )
            }
            await gate.wait(for: 1)
            if let kept { cache.insert(FetchedDocument(kept, size: 1), for: "a", at: time) }
            gate.open()
            #expect(try await caller.value.value == chosen)
            #expect(cache.documents["a"] == chosen)
            #expect(cache.keptDocument(for: "a", at: time)?.freshUntil == time.addingTimeInterval(50))
        }
    }

    @Test func manyCallersShareOneFailure() async throws {
        let cache = Cache()
        let callers = (1...10).map { _ in caller(cache, -1) }
        await gate.wait(for: 1)
        gate.open()
        for caller in callers { await refusal(.connectionFailed) { try await caller.value } }
        #expect(gate.arrivals == 1)
    }

    /// A resolver that is busy at first.
    private final class BusyResolver: HostResolver {
        private let count = Mutex(0)

        func addresses(of host: String) async throws(TransportError) -> [IPAddress] {
            let isBusy = count.withLock { count in
                count += 1
                return count == 1
            }
            if isBusy { throw TransportError(.resolverBusy, "lookups are under way") }
            throw TransportError(.resolutionFailed, "no such name")
        }
    }

    /// This holds for the caches of everything that needs the document, too.
    @Test func aRequestThatWasNotMadeIsNotRemembered() async throws {
        enum Problem: Error { case any }
        let transport = GuardedHTTPTransport(connector: ScriptedConnector([:]), resolver: BusyResolver())
        let inner = Cache()
        let outer = DocumentCache<String, Int, Problem>()
        let requests = Mutex(0)
        let time = start
        let request = HTTPTransportRequest.get(try HTTPURL("https://a.example/"), accepting: [.json])
        for count in [1, 2, 2] {
            await #expect(throws: Problem.self) {
                try await outer.document(for: "b", at: time) { () async throws(Problem) in
                    requests.withLock { $0 += 1 }
                    do {
                        return FetchedDocument(
                            try await inner.document(for: "a", at: time) { () async throws(TransportError) in
                                FetchedDocument(try await transport.response(to: request).status, size: 1)
                            }.value,
                            size: 1
                        )
                    } catch {
                        throw .any
                    }
                }
            }
            #expect(requests.withLock { $0 } == count)
        }
    }

    @Test func aRequestOfAFarOtherTimeIsNotShared() async throws {
        let cache = Cache()
        let first = caller(cache, 1)
        await gate.wait(for: 1)
        let near = caller(cache, 2, after: 60)
        let far = caller(cache, 3, after: 61)
        await gate.wait(for: 2)
        gate.open()
        #expect(try await first.value == 1)
        #expect(try await far.value == 3)
        // Depending on the order, it joined the first request or the one that took its place.
        #expect([1, 3].contains(try await near.value))
        #expect(gate.arrivals == 2)
        #expect(cache.documents == ["a": 3])
    }

    @Test(arguments: [false, true]) func aCallerThatGivesUpDoesNotCancelTheOthers(isFirst: Bool) async throws {
        let cache = Cache(cancellation: cancelled)
        let first = caller(cache, 1)
        await gate.wait(for: 1)
        let second = caller(cache, 2)
        let (leaving, staying) = isFirst ? (first, second) : (second, first)
        leaving.cancel()
        await refusal(.cancelled) { try await leaving.value }
        gate.open()
        #expect(try await staying.value == 1)
        #expect(gate.arrivals == 1)
        #expect(cache.documents == ["a": 1])
    }

    @Test func aRequestGoesOnWhenItsOnlyCallerGivesUp() async throws {
        let cache = Cache(cancellation: cancelled)
        let only = caller(cache, 1)
        await gate.wait(for: 1)
        only.cancel()
        await refusal(.cancelled) { try await only.value }
        let next = caller(cache, 2)
        gate.open()
        #expect(try await next.value == 1)
    }

    @Test func aCancelledCallerGetsNoStaleDocument() async throws {
        let cache = Cache(options: DocumentCacheOptions(stalePeriod: .infinity), cancellation: cancelled) { _ in true }
        cache.insert(FetchedDocument(1, lifetime: 100, size: 1), for: "a", at: start)
        let only = caller(cache, -1, after: 100)
        await gate.wait(for: 1)
        only.cancel()
        await refusal(.cancelled) { try await only.value }
        let next = caller(cache, -1, after: 100)
        gate.open()
        #expect(try await next.value == 1)
    }

    @Test func aCancelledCallerWaitsWhereThereIsNoErrorForIt() async throws {
        let cache = Cache()
        let only = caller(cache, 1)
        await gate.wait(for: 1)
        only.cancel()
        gate.open()
        #expect(try await only.value == 1)
    }

    @Test func callersThatLackAKeyJoinTheRequestForIt() async throws {
        let cache = Cache()
        cache.insert(FetchedDocument(0, size: 1), for: "a", at: start)
        let callers = (1...10).map { caller(cache, $0, after: 31, isSufficient: { $0 > 0 }) }
        await gate.wait(for: 1)
        #expect(try await caller(cache, 99, after: 31).value == 0)
        gate.open()
        for caller in callers { #expect(try await caller.value > 0) }
        #expect(gate.arrivals == 1)
    }

    @Test func removedDocumentsDoNotReturnWithARequestUnderWay() async throws {
        let cache = Cache()
        let first = caller(cache, 1)
        await gate.wait(for: 1)
        cache.removeAll()
        gate.open()
        #expect(try await first.value == 1)
        #expect(cache.documents.isEmpty)
    }

    @Test func aFetchedDocumentReplacesOneFromASnapshot() async throws {
        let cache = Cache()
        let first = caller(cache, 1)
        await gate.wait(for: 1)
        cache.insert(FetchedDocument(77, size: 1), for: "a", at: start)
        gate.open()
        #expect(try await first.value == 1)
        #expect(cache.documents == ["a": 1])
    }

    /// The caller's functions may use the cache themselves.
    @Test func judgesADocumentThatChangesMeanwhile() async throws {
        let cache = Cache()
        cache.insert(FetchedDocument(1, size: 1), for: "a", at: start)
        let isCurrent = { (value: Int) in
            if value == 1 { cache.insert(FetchedDocument(2, size: 1), for: "a", at: start) }
            return value == 2
        }
        let found = try await cache.document(for: "a", at: start, isCurrent: isCurrent) {
            () async throws(TransportError) in
            throw TransportError(.connectionFailed, "no connection")
        }
        #expect(found.value == 2)
    }
}
