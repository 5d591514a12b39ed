import Synchronization

/// A signal that a server is going to stop: event streams end, and no work is started any more.
///
/// The signal is given once and stays. Drivers give it; ``ServerRequest/shutdown`` has it.
public final class ShutdownSignal: Sendable {
    private struct State {
        var isGiven = false
        var count: UInt64 = 0
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// A signal that has not been given.
    public init() {}

    /// Indicates that the signal was given.
    public var isGiven: Bool { state.withLock { $0.isGiven } }

    /// Gives the signal; once is enough.
    public func give() {
        let waiting = state.withLock { state in
            state.isGiven = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until the signal is given, or until the task is cancelled.
    public func wait() async {
        let key = state.withLock { state in
            state.count += 1
            return state.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    guard !state.isGiven, !Task.isCancelled else { return true }
                    state.waiting[key] = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: key) }?.resume()
        }
    }
}
