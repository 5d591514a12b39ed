import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps what was fetched for as long as it may be, lets several tasks share one request, and does not ask again at once
/// for what could not be had; bounded in number and size.
final class FetchCache<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    /// The result of a request.
    struct Fetched: Sendable {
        let value: Value
        /// For how many seconds it is kept.
        let lifetime: TimeInterval
        /// The size in bytes.
        let size: Int
    }

    typealias Outcome = Result<Fetched, Failure>

    private struct Entry {
        let fetched: Fetched
        let since: Date
        var lastUse: UInt64
    }

    private struct Flight {
        let number: UInt64
        let started: Date
        let task: Task<Outcome, Never>
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var failures: [Key: (failure: Failure, since: Date)] = [:]
        var flights: [Key: Flight] = [:]
        /// Numbers uses and flights.
        var clock: UInt64 = 0
        var size = 0
    }

    private let limits: FetchCacheLimits
    private let state = Mutex(State())

    init(_ limits: FetchCacheLimits) {
        self.limits = limits
    }

    /// Everything that is kept.
    var values: [Value] { state.withLock { $0.entries.values.map(\.fetched.value) } }

    /// The cached value for a key, the failure of a moment ago, or the result of a request.
    func value(
        for key: Key,
        at now: Date,
        fetch: @escaping @Sendable () async -> Outcome
    ) async -> Result<Value, Failure> {
        let source: Result<Value, Failure>? = state.withLock { state in
            if let value = kept(key, at: now, &state) { return .success(value) }
            return failure(key, at: now, state).map { .failure($0) }
        }
        if let source { return source }
        let flight = state.withLock { state in
            if let flight = state.flights[key], abs(flight.started.timeIntervalSince(now)) < limits.minimumLifetime {
                return flight.task
            }
            return start(key, at: now, fetch, &state)
        }
        return await flight.value.map(\.value)
    }

    /// The cached value for a key, even if it is due to be fetched again.
    func stale(_ key: Key) -> Value? { state.withLock { $0.entries[key]?.fetched.value } }

    /// The cached value that is not due to be fetched again, nor fetched after `now` beyond the difference of two
    /// clocks.
    private func kept(_ key: Key, at now: Date, _ state: inout State) -> Value? {
        guard let entry = state.entries[key] else { return nil }
        let age = now.timeIntervalSince(entry.since)
        guard age >= -limits.minimumLifetime, age < entry.fetched.lifetime else { return nil }
        state.clock += 1
        state.entries[key]?.lastUse = state.clock
        return entry.fetched.value
    }

    private func failure(_ key: Key, at now: Date, _ state: borrowing State) -> Failure? {
        guard let failure = state.failures[key] else { return nil }
        return (0..<limits.retryInterval).contains(now.timeIntervalSince(failure.since)) ? failure.failure : nil
    }

    /// The request goes on for the others when one caller gives up.
    private func start(
        _ key: Key,
        at now: Date,
        _ fetch: @escaping @Sendable () async -> Outcome,
        _ state: inout State
    ) -> Task<Outcome, Never> {
        state.clock += 1
        let number = state.clock
        let task = Task {
            let outcome = await fetch()
            self.land(number, outcome, key, at: now)
            return outcome
        }
        state.flights[key] = Flight(number: number, started: now, task: task)
        return task
    }

    private func land(_ number: UInt64, _ outcome: Outcome, _ key: Key, at now: Date) {
        state.withLock { state in
            if state.flights[key]?.number == number { state.flights[key] = nil }
            switch outcome {
            case .success(let fetched):
                insert(fetched, key, at: now, &state)
            case .failure(let failure):
                if state.failures.count >= limits.maximumCount { state.failures.removeAll() }
                state.failures[key] = (failure, now)
            }
        }
    }

    private func insert(_ fetched: Fetched, _ key: Key, at now: Date, _ state: inout State) {
        state.failures[key] = nil
        Self.remove(key, &state)
        state.clock += 1
        state.entries[key] = Entry(fetched: fetched, since: now, lastUse: state.clock)
        state.size += fetched.size
        while state.entries.count > limits.maximumCount || state.size > limits.maximumSize {
            guard let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { return }
            Self.remove(oldest, &state)
        }
    }

    private static func remove(_ key: Key, _ state: inout State) {
        guard let entry = state.entries.removeValue(forKey: key) else { return }
        state.size -= entry.fetched.size
    }
}

/// The limits of a ``FetchCache``: the number and size of its entries, and the frequency of its requests.
struct FetchCacheLimits: Sendable {
    let maximumCount: Int
    let maximumSize: Int
    /// The shortest time in seconds for which something is kept.
    let minimumLifetime: TimeInterval
    /// The longest time in seconds for which something is kept.
    let maximumLifetime: TimeInterval
    /// For how many seconds what could not be had is not asked for again.
    let retryInterval: TimeInterval

    /// A wanted lifetime within the bounds.
    func lifetime(_ wanted: TimeInterval) -> TimeInterval {
        max(minimumLifetime, min(maximumLifetime, wanted))
    }
}
