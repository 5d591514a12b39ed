import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The documents, failures and requests of a ``DocumentCache``, guarded by its lock.
struct DocumentCacheState<Key: Hashable & Sendable, Document: Sendable, Failure: Error> {
    typealias Outcome = Result<FetchedDocument<Document>, Failure>

    /// A kept document.
    struct Entry {
        let value: Document
        let size: Int
        let fetched: Date
        let lifetime: TimeInterval
        /// The number of the insertion, different for every document.
        let version: UInt64
        /// The time of the last request for the document, with or without success.
        var lastRequest: Date
        var lastUse: UInt64

        /// The time past the end of the lifetime, in seconds; negative before.
        func staleness(at time: Date) -> TimeInterval {
            time.timeIntervalSince(fetched) - lifetime
        }

        /// Returns `true` for a document that is fresh or has been stale for no longer than a period.
        func isWithin(_ stalePeriod: TimeInterval, at time: Date) -> Bool {
            let staleness = staleness(at: time)
            return staleness < 0 || staleness < stalePeriod
        }

        func document(at time: Date) -> CachedDocument<Document> {
            CachedDocument(
                value: value,
                fetched: fetched,
                freshUntil: fetched + lifetime,
                isStale: staleness(at: time) >= 0
            )
        }
    }

    /// A request under way.
    struct Flight {
        let number: UInt64
        let started: Date
        let note: FetchNote
        let task: Task<Outcome, Never>
    }

    /// The source of a document.
    enum Source {
        case kept(CachedDocument<Document>)
        case failure(Failure)
        case flight(Flight)
    }

    private struct Memory {
        let failure: Failure
        let since: Date
        let number: UInt64
    }

    private let options: DocumentCacheOptions
    private(set) var entries: [Key: Entry] = [:]
    private var failures: [Key: Memory] = [:]
    private var flights: [Key: Flight] = [:]
    /// Numbers uses, insertions and flights.
    private var count: UInt64 = 0
    private var size = 0

    init(_ options: DocumentCacheOptions) {
        self.options = options
    }

    /// The kept document of a key, fresh or stale, unless it was fetched later than the time.
    func entry(for key: Key, at time: Date) -> Entry? {
        guard let entry = entries[key], entry.fetched.timeIntervalSince(time) <= options.timeTolerance else {
            return nil
        }
        return entry
    }

    /// Notes a use of a kept document, which is then dropped after the others.
    mutating func use(_ key: Key) {
        let number = next()
        entries[key]?.lastUse = number
    }

    /// Chooses between a kept document, a remembered failure, a request under way and a new one.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - time: The time.
    ///   - entry: The kept document, if it is current.
    ///   - isSufficient: `true` if the kept document has what is sought.
    ///   - start: Starts the request with a number and a note.
    mutating func source(
        for key: Key,
        at time: Date,
        _ entry: Entry?,
        isSufficient: Bool,
        _ start: (UInt64, FetchNote) -> Task<Outcome, Never>
    ) -> Source {
        let fresh = entry.flatMap { $0.isWithin(0, at: time) ? $0 : nil }
        if let fresh {
            use(key)
            if isSufficient { return .kept(fresh.document(at: time)) }
        }
        if let flight = flights[key], isNear(flight.started, time, options.timeTolerance) { return .flight(flight) }
        if let fresh {
            let isEarly = abs(time.timeIntervalSince(fresh.lastRequest)) < options.refetchInterval
            if isEarly { return .kept(fresh.document(at: time)) }
        } else if let failure = failure(for: key, at: time) {
            return .failure(failure)
        }
        let number = next()
        let note = FetchNote()
        let flight = Flight(number: number, started: time, note: note, task: start(number, note))
        flights[key] = flight
        entries[key]?.lastRequest = time
        return .flight(flight)
    }

    private func isNear(_ first: Date, _ second: Date, _ tolerance: TimeInterval) -> Bool {
        abs(first.timeIntervalSince(second)) <= tolerance
    }

    private func failure(for key: Key, at time: Date) -> Failure? {
        guard let memory = failures[key] else { return nil }
        let age = time.timeIntervalSince(memory.since)
        return age >= 0 && age < options.retryInterval ? memory.failure : nil
    }

    /// Ends a request, and keeps its outcome unless another request took its place, or none was made.
    ///
    /// - Returns: The outcome, with the chosen document.
    mutating func land(
        _ number: UInt64,
        _ outcome: Outcome,
        for key: Key,
        at time: Date,
        choosing choose: (FetchedDocument<Document>, Document) -> FetchedDocument<Document>
    ) -> Outcome {
        let outcome = outcome.map { fetched in entries[key].map { choose(fetched, $0.value) } ?? fetched }
        guard let flight = flights[key], flight.number == number else { return outcome }
        flights[key] = nil
        switch outcome {
        case .success(let document): insert(document, for: key, at: time)
        case .failure(let failure): if !flight.note.wasBusy { remember(failure, for: key, at: time) }
        }
        return outcome
    }

    /// Keeps a document, in place of one with the same key, and drops others where that is needed.
    ///
    /// A document that is too large by itself is not kept, and drops no other.
    mutating func insert(_ document: FetchedDocument<Document>, for key: Key, at time: Date) {
        failures[key] = nil
        remove(key)
        guard options.maximumCount > 0, document.size <= options.maximumSize else { return }
        let number = next()
        entries[key] = Entry(
            value: document.value,
            size: document.size,
            fetched: time,
            lifetime: options.lifetime(document.lifetime(from: time)),
            version: number,
            lastRequest: time,
            lastUse: number
        )
        dropLeastRecentlyUsed(toAdd: document.size)
        size += document.size
    }

    /// Drops documents until the count is within its bound and an addition fits, the one just inserted never.
    private mutating func dropLeastRecentlyUsed(toAdd addition: Int) {
        let available = options.maximumSize - addition
        guard entries.count > options.maximumCount || size > available else { return }
        for (key, _) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }).dropLast() {
            guard entries.count > options.maximumCount || size > available else { return }
            remove(key)
        }
    }

    private mutating func remember(_ failure: Failure, for key: Key, at time: Date) {
        guard options.maximumCount > 0 else { return }
        failures[key] = Memory(failure: failure, since: time, number: next())
        guard failures.count > options.maximumCount else { return }
        guard let oldest = failures.min(by: { $0.value.number < $1.value.number })?.key else { return }
        failures[oldest] = nil
    }

    private mutating func remove(_ key: Key) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        size -= entry.size
    }

    mutating func removeAll() {
        entries.removeAll()
        failures.removeAll()
        flights.removeAll()
        size = 0
    }

    private mutating func next() -> UInt64 {
        count += 1
        return count
    }
}

/// A note on the fetch that the current task serves: a failure that says nothing about the document.
///
/// Caches keep errors of many layers, whose causes they cannot see.
final class FetchNote: Sendable {
    /// The note of the fetch that the current task serves.
    @TaskLocal static var current: FetchNote?

    private let state = Atomic(false)

    /// Indicates that this process was too busy to ask for the document.
    var wasBusy: Bool { state.load(ordering: .acquiring) }

    /// Notes that this process is too busy to ask for the document.
    func setBusy() {
        state.store(true, ordering: .releasing)
    }
}
