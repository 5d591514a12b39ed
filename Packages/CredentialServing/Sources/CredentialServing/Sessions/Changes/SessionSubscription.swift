import Synchronization

/// One reader's mark that its session has changed.
final class SessionSubscription: Sendable {
    /// The reason for which a wait ended.
    enum Wake: Sendable {
        case changed
        case timeElapsed
        case closed
    }

    private struct State {
        // The first state is to be read without a signal.
        var isChanged = true
        var isClosed = false
        var waiting: CheckedContinuation<Wake, Never>?

        mutating func take() -> Wake? {
            if isClosed { return .closed }
            defer { isChanged = false }
            return isChanged ? .changed : nil
        }
    }

    private let state = Mutex(State())

    /// Marks the session as changed.
    func signal() {
        let waiting = state.withLock { state -> CheckedContinuation<Wake, Never>? in
            guard let waiting = state.waiting else {
                state.isChanged = true
                return nil
            }
            state.waiting = nil
            return waiting
        }
        waiting?.resume(returning: .changed)
    }

    /// Ends the wait, and every later one.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: .closed)
    }

    /// Waits for a change, for a time to elapse, or for the end.
    ///
    /// - Parameters:
    ///   - duration: The longest wait, or nil for no limit.
    ///   - timer: The clock that measures it.
    func wait(atMost duration: Duration?, on timer: any Clock<Duration>) async -> Wake {
        if let wake = state.withLock({ $0.take() }) { return Task.isCancelled ? .closed : wake }
        guard let duration else { return await wait() }
        return await withTaskGroup(of: Wake?.self) { group in
            group.addTask { await self.wait() }
            group.addTask {
                do { try await pause(for: duration, on: timer) } catch { return nil }
                return .timeElapsed
            }
            // Either ends the other. A wait that was cancelled for the time's sake says nothing; a change counts.
            var wakes: [Wake] = []
            for await wake in group {
                if let wake { wakes.append(wake) }
                if wakes.count == 1 { group.cancelAll() }
            }
            if wakes.contains(.changed) { return .changed }
            let isOver = Task.isCancelled || state.withLock(\.isClosed)
            return !isOver && wakes.contains(.timeElapsed) ? .timeElapsed : .closed
        }
    }

    private func wait() async -> Wake {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let wake = state.withLock { state -> Wake? in
                    if Task.isCancelled { return .closed }
                    if let wake = state.take() { return wake }
                    state.waiting = continuation
                    return nil
                }
                if let wake { continuation.resume(returning: wake) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.resume(returning: .closed)
        }
    }
}
