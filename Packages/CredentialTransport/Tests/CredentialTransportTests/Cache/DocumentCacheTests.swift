import CredentialTransport
import Foundation
import Synchronization
import Testing

/// The laws of the document cache; its publisher is a counter.
@Suite struct DocumentCacheTests {
    typealias Cache = DocumentCache<String, Int, Problem>

    enum Problem: Error {
        case outage
        case refused
        case cancelled
    }

    /// A publisher whose documents are the numbers of its requests.
    final class Publisher: Sendable {
        private let count = Mutex(0)
        private let problem = Mutex<Problem?>(nil)

        var requests: Int { count.withLock { $0 } }

        func fail(with problem: Problem?) {
            self.problem.withLock { $0 = problem }
        }

        func fetch(lifetime: TimeInterval? = 100, size: Int = 1) throws(Problem) -> FetchedDocument<Int> {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if let problem = problem.withLock({ $0 }) { throw problem }
            return FetchedDocument(number, lifetime: lifetime, size: size)
        }
    }

    private let publisher = Publisher()
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func cache(
        _ options: DocumentCacheOptions = DocumentCacheOptions(minimumLifetime: 10),
        cancellation: Problem? = nil
    ) -> Cache {
        Cache(options: options, cancellation: cancellation) { $0 == .outage }
    }

    private func get(
        _ cache: Cache,
        _ key: String = "a",
        after seconds: TimeInterval = 0,
        lifetime: TimeInterval? = 100,
        size: Int = 1,
        isCurrent: (Int) -> Bool = { _ in true },
        isSufficient: (Int) -> Bool = { _ in true }
    ) async throws(Problem) -> CachedDocument<Int> {
        let publisher = publisher
        return try await cache.document(
            for: key,
            at: start.addingTimeInterval(seconds),
            isCurrent: isCurrent,
            isSufficient: isSufficient
        ) { () async throws(Problem) in try publisher.fetch(lifetime: lifetime, size: size) }
    }

    // MARK: Lifetimes

    @Test func keepsADocumentForItsLifetime() async throws {
        let cache = cache()
        let first = try await get(cache)
        #expect(first.value == 1)
        #expect(first.fetched == start)
        #expect(!first.isStale)
        #expect(try await get(cache, after: 99.9).value == 1)
        #expect(try await get(cache, after: 99.9).fetched == start)
        #expect(try await get(cache, after: 100).value == 2)
    }

    @Test(
        arguments: [
            (nil, 50), (0, 10), (-5, 10), (9, 10), (11, 11), (99, 99), (101, 100), (.infinity, 100), (.nan, 50),
        ] as [(TimeInterval?, TimeInterval)]
    )
    func boundsLifetimes(own: TimeInterval?, kept: TimeInterval) async throws {
        let cache = cache(DocumentCacheOptions(minimumLifetime: 10, maximumLifetime: 100, defaultLifetime: 50))
        _ = try await get(cache, lifetime: own)
        #expect(try await get(cache, after: kept - 0.5).value == 1)
        #expect(try await get(cache, after: kept).value == 2)
    }

    @Test func fetchesAgainADocumentThatIsNotCurrent() async throws {
        let cache = cache()
        _ = try await get(cache)
        #expect(try await get(cache, after: 1, isCurrent: { $0 > 1 }).value == 2)
        publisher.fail(with: .outage)
        await #expect(throws: Problem.outage) { try await get(cache, after: 2, isCurrent: { $0 > 2 }) }
    }

    // MARK: Time that goes backwards

    @Test func usesADocumentForEarlierTimesWithinTheTolerance() async throws {
        let cache = cache()
        _ = try await get(cache)
        #expect(try await get(cache, after: -60).value == 1)
        #expect(cache.keptDocument(for: "a", at: start.addingTimeInterval(-60))?.value == 1)
        #expect(cache.keptDocument(for: "a", at: start.addingTimeInterval(-61)) == nil)
        #expect(try await get(cache, after: -61).value == 2)
        #expect(try await get(cache).value == 2)
    }

    @Test func remembersNoFailureOfALaterTime() async throws {
        let cache = cache()
        publisher.fail(with: .outage)
        await #expect(throws: Problem.outage) { try await get(cache) }
        publisher.fail(with: nil)
        #expect(try await get(cache, after: -1).value == 2)
    }

    // MARK: Failures

    @Test func remembersAFailureForTheRetryInterval() async throws {
        let cache = cache()
        publisher.fail(with: .refused)
        await #expect(throws: Problem.refused) { try await get(cache) }
        publisher.fail(with: nil)
        await #expect(throws: Problem.refused) { try await get(cache, after: 4.9) }
        #expect(publisher.requests == 1)
        #expect(try await get(cache, after: 5).value == 2)
        #expect(try await get(cache, "b", after: 1).value == 3)
    }

    @Test func forgetsTheOldestFailureAtTheBound() async throws {
        let cache = cache(DocumentCacheOptions(maximumCount: 2))
        publisher.fail(with: .outage)
        for key in ["a", "b", "c"] { await #expect(throws: Problem.outage) { try await get(cache, key) } }
        for key in ["b", "c"] { await #expect(throws: Problem.outage) { try await get(cache, key) } }
        #expect(publisher.requests == 3)
        await #expect(throws: Problem.outage) { try await get(cache, "a") }
        #expect(publisher.requests == 4)
    }

    // MARK: Stale documents

    @Test func usesNoStaleDocumentByDefault() async throws {
        let cache = cache()
        _ = try await get(cache)
        publisher.fail(with: .outage)
        await #expect(throws: Problem.outage) { try await get(cache, after: 100) }
        await #expect(throws: Problem.outage) { try await get(cache, after: 101) }
    }

    @Test func usesAStaleDocumentWithinItsPeriodDuringAnOutage() async throws {
        let cache = cache(DocumentCacheOptions(minimumLifetime: 10, stalePeriod: 50))
        _ = try await get(cache)
        publisher.fail(with: .outage)
        for seconds in [100, 101, 149.9] {
            let stale = try await get(cache, after: seconds)
            #expect(stale.value == 1)
            #expect(stale.isStale)
            #expect(stale.fetched == start)
        }
        // At 101 seconds the failure of a second ago was remembered.
        #expect(publisher.requests == 3)
        await #expect(throws: Problem.outage) { try await get(cache, after: 150) }
    }

    @Test func usesNoStaleDocumentAfterARefusal() async throws {
        let cache = cache(DocumentCacheOptions(stalePeriod: .infinity))
        _ = try await get(cache)
        publisher.fail(with: .refused)
        await #expect(throws: Problem.refused) { try await get(cache, after: 100) }
        await #expect(throws: Problem.refused) { try await get(cache, after: 101) }
    }

    @Test func usesNoStaleDocumentThatIsNotCurrent() async throws {
        let cache = cache(DocumentCacheOptions(stalePeriod: .infinity))
        _ = try await get(cache)
        publisher.fail(with: .outage)
        #expect(try await get(cache, after: 1_000_000).isStale)
        await #expect(throws: Problem.outage) { try await get(cache, after: 1_000_001, isCurrent: { _ in false }) }
    }

    // MARK: Documents that lack what is sought

    @Test func fetchesAgainForAMissingKeyAtALimitedRate() async throws {
        let cache = cache()
        let isMissing = { (_: Int) in false }
        _ = try await get(cache)
        #expect(try await get(cache, after: 29.9, isSufficient: isMissing).value == 1)
        #expect(try await get(cache, after: 30, isSufficient: isMissing).value == 2)
        #expect(try await get(cache, after: 59.9, isSufficient: isMissing).value == 2)
        #expect(try await get(cache, after: 60, isSufficient: { $0 > 2 }).value == 3)
        #expect(publisher.requests == 3)
    }

    @Test(arguments: [Problem.outage, .refused])
    func keepsADocumentWhoseRefetchFails(problem: Problem) async throws {
        let cache = cache()
        _ = try await get(cache)
        publisher.fail(with: problem)
        let kept = try await get(cache, after: 40, isSufficient: { _ in false })
        #expect(kept.value == 1)
        #expect(!kept.isStale)
        // The rate counts failed requests too.
        #expect(try await get(cache, after: 69.9, isSufficient: { _ in false }).value == 1)
        #expect(publisher.requests == 2)
        _ = try await get(cache, after: 70, isSufficient: { _ in false })
        #expect(publisher.requests == 3)
    }

    // MARK: Bounds

    @Test func dropsTheDocumentNotUsedForLongest() async throws {
        let cache = cache(DocumentCacheOptions(maximumCount: 3))
        for key in ["a", "b", "c"] { _ = try await get(cache, key) }
        #expect(cache.documents == ["a": 1, "b": 2, "c": 3])
        _ = try await get(cache, "a")
        #expect(cache.keptDocument(for: "b", at: start)?.value == 2)
        _ = try await get(cache, "d")
        #expect(cache.documents == ["a": 1, "b": 2, "d": 4])
        _ = try await get(cache, "e")
        #expect(cache.documents == ["b": 2, "d": 4, "e": 5])
    }

    @Test func boundsTheBytesOfAllDocuments() async throws {
        let cache = cache(DocumentCacheOptions(maximumSize: 100))
        for (key, size) in [("a", 30), ("b", 30), ("c", 40)] { _ = try await get(cache, key, size: size) }
        #expect(cache.documents.keys.sorted() == ["a", "b", "c"])
        _ = try await get(cache, "d", size: 31)
        #expect(cache.documents.keys.sorted() == ["c", "d"])
        _ = try await get(cache, "e", size: 29)
        #expect(cache.documents.keys.sorted() == ["c", "d", "e"])
        _ = try await get(cache, "f", size: 100)
        #expect(cache.documents.keys.sorted() == ["f"])
    }

    @Test func aDocumentOverTheBoundIsNotKeptAndDropsNoOther() async throws {
        let cache = cache(DocumentCacheOptions(maximumSize: 100))
        _ = try await get(cache, "a", size: 60)
        #expect(try await get(cache, "b", size: 101).value == 2)
        #expect(cache.documents == ["a": 1])
    }

    @Test func aReplacedDocumentFreesItsBytes() async throws {
        let cache = cache(DocumentCacheOptions(maximumSize: 100))
        for seconds in [0, 100, 200.0] { _ = try await get(cache, "a", after: seconds, size: 60) }
        _ = try await get(cache, "b", size: 40)
        #expect(cache.documents == ["a": 3, "b": 4])
    }

    @Test func keepsNothingWithoutRoom() async throws {
        let cache = cache(DocumentCacheOptions(maximumCount: 0))
        #expect(try await get(cache).value == 1)
        #expect(try await get(cache).value == 2)
        publisher.fail(with: .outage)
        await #expect(throws: Problem.outage) { try await get(cache) }
        await #expect(throws: Problem.outage) { try await get(cache) }
        #expect(publisher.requests == 4)
        #expect(cache.documents.isEmpty)
    }

    // MARK: Documents from elsewhere

    @Test func keepsAnInsertedDocument() async throws {
        let cache = cache()
        publisher.fail(with: .outage)
        await #expect(throws: Problem.outage) { try await get(cache) }
        cache.insert(FetchedDocument(77, lifetime: 20, size: 1), for: "a", at: start)
        #expect(try await get(cache, after: 19.9).value == 77)
        let stale = try #require(cache.keptDocument(for: "a", at: start.addingTimeInterval(20)))
        #expect(stale.value == 77)
        #expect(stale.isStale)
    }

    @Test func removesEverything() async throws {
        let cache = cache()
        _ = try await get(cache)
        publisher.fail(with: .outage)
        await #expect(throws: Problem.outage) { try await get(cache, "b") }
        publisher.fail(with: nil)
        cache.removeAll()
        #expect(cache.documents.isEmpty)
        #expect(try await get(cache).value == 3)
        #expect(try await get(cache, "b").value == 4)
    }
}
