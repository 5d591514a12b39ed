import Synchronization

/// A barrier in a test: tasks wait at it until it is opened, and a test waits until tasks have come.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// The number of tasks that have come.
    var arrivals: Int { state.withLock { $0.arrivals } }

    /// Waits until the gate is open.
    func pass() async {
        await withCheckedContinuation { continuation in
            let resumed = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                state.arrivals += 1
                let reached = state.observers.filter { $0.count <= state.arrivals }.map(\.continuation)
                state.observers.removeAll { $0.count <= state.arrivals }
                guard state.isOpen else {
                    state.waiting.append(continuation)
                    return reached
                }
                return reached + [continuation]
            }
            for continuation in resumed { continuation.resume() }
        }
    }

    /// Waits until a number of tasks have come.
    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                guard state.arrivals < count else { return true }
                state.observers.append((count, continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    /// Lets every task through, now and later.
    func open() {
        let resumed = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in resumed { continuation.resume() }
    }
}
