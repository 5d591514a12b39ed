@_spi(Layers) import CredentialTransport
import Synchronization

/// A time limit for many operations, which one task watches.
///
/// A timer for each operation would cost more than most operations.
final class TimeLimit: Sendable {
    fileprivate struct State {
        var count: UInt64 = 0
        /// The cancellations of the operations that are running.
        var running: [UInt64: @Sendable () -> Void] = [:]
        /// The operations in the order of their ends, the finished ones among them too.
        var ends: [(id: UInt64, end: Duration)] = []
        /// The number of elements of `ends` that are no longer looked at.
        var passed = 0
        var isWatched = false
    }

    private let limit: Duration
    /// The time since the limit was made.
    private let elapsed: @Sendable () -> Duration
    private let pause: @Sendable (_ end: Duration) async throws -> Void
    private let state = Mutex(State())

    /// A limit on a clock.
    init<C: Clock<Duration>>(of limit: Duration, on clock: C) {
        let start = clock.now
        self.limit = limit.boundedForTimers
        elapsed = { start.duration(to: clock.now) }
        pause = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// The number of operations that are running.
    var runningCount: Int { state.withLock { $0.running.count } }

    /// Runs an operation, and cancels it when its time is up or the caller's task is cancelled.
    ///
    /// It returns when the operation has ended, which must therefore react to cancellation.
    ///
    /// - Returns: The operation's value, or nil if the time came first.
    func run<Value: Sendable>(_ operation: @Sendable @escaping () async -> Value) async -> Value? {
        let end = elapsed() + limit
        let task = Task.startingHere(operation)
        let id = add(end) { task.cancel() }
        let value = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return remove(id) ? value : nil
    }

    private func add(_ end: Duration, _ cancel: @escaping @Sendable () -> Void) -> UInt64 {
        let (id, isWatched) = state.withLock { state in
            defer { state.isWatched = true }
            state.count &+= 1
            state.running[state.count] = cancel
            state.dropFinished()
            state.ends.append((state.count, end))
            return (state.count, state.isWatched)
        }
        if !isWatched { watch() }
        return id
    }

    /// Returns `false` for an operation whose time was up.
    private func remove(_ id: UInt64) -> Bool {
        state.withLock { $0.running.removeValue(forKey: id) != nil }
    }

    /// Cancels operations when their time is up, until none is running.
    private func watch() {
        Task { [weak self, pause] in
            while let end = self?.cancelLate() { try? await pause(end) }
        }
    }

    /// Cancels the operations whose time is up.
    ///
    /// - Returns: The end of the next one, or nil if none is running.
    private func cancelLate() -> Duration? {
        let now = elapsed()
        let (late, end) = state.withLock { $0.takeLate(at: now) }
        for cancel in late { cancel() }
        return end
    }
}

extension TimeLimit.State {
    /// Drops finished operations, so that only those behind one that runs for long are kept.
    fileprivate mutating func dropFinished() {
        while passed < ends.count, running[ends[passed].id] == nil { passed += 1 }
        guard passed > 64, passed > ends.count / 2 else { return }
        ends.removeFirst(passed)
        passed = 0
    }

    /// Takes out the operations whose time is up.
    ///
    /// - Returns: Their cancellations, and the end of the next operation, or nil if none is running.
    fileprivate mutating func takeLate(at now: Duration) -> ([@Sendable () -> Void], Duration?) {
        var late: [@Sendable () -> Void] = []
        while passed < ends.count {
            let (id, end) = ends[passed]
            if running[id] != nil, end > now { return (late, end) }
            if let cancel = running.removeValue(forKey: id) { late.append(cancel) }
            passed += 1
        }
        ends.removeAll(keepingCapacity: true)
        passed = 0
        isWatched = false
        return (late, nil)
    }
}

extension Task where Failure == Never {
    /// A task whose operation runs on the caller's thread until it first waits, where the system can do that.
    ///
    /// Many operations never wait, and a change of threads costs more than they do.
    package static func startingHere(_ operation: @escaping @Sendable () async -> Success) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return Task.immediate { await operation() }
        }
        return Task { await operation() }
    }
}
