@_spi(Layers) import CredentialTransport

/// A point in time on an injected clock.
package struct Deadline: Sendable {
    private let remainingTime: @Sendable () -> Duration
    private let pause: @Sendable () async throws -> Void

    package init<C: Clock<Duration>>(_ clock: C, after duration: Duration) {
        let end = clock.now.advanced(by: duration.boundedForTimers)
        remainingTime = { clock.now.duration(to: end) }
        pause = { try await clock.sleep(until: end, tolerance: nil) }
    }

    /// Indicates that the time has come.
    var hasPassed: Bool { remainingTime() <= .zero }

    /// Runs an operation, and cancels it when the time has come or the caller's task is cancelled.
    ///
    /// It returns when the operation has ended, which must therefore react to cancellation.
    ///
    /// - Returns: The operation's value, or nil if the time came first.
    package func race<Value: Sendable>(_ operation: @Sendable @escaping () async -> Value) async -> Value? {
        await withTaskGroup(of: Outcome<Value>.self) { group in
            group.addTask { .value(await operation()) }
            group.addTask {
                do {
                    try await pause()
                    return .timeIsUp
                } catch {
                    return .cancelled
                }
            }
            var isLate = false
            while let outcome = await group.next() {
                switch outcome {
                case .value(let value):
                    group.cancelAll()
                    return isLate ? nil : value
                case .timeIsUp:
                    isLate = true
                    group.cancelAll()
                case .cancelled:
                    break
                }
            }
            return nil
        }
    }

    private enum Outcome<Value: Sendable>: Sendable {
        case value(Value)
        case timeIsUp
        case cancelled
    }
}
