import Synchronization

/// The time from the start of a store to its end.
package final class StoreLifetime: Sendable {
    private static let end = SessionKey("end")

    private let isClosed = Atomic(false)
    private let sleepers = SessionChangeHub()

    package init() {}

    /// Throws an error after the end.
    package func check() throws(SessionStoreError) {
        guard !isClosed.load(ordering: .acquiring) else { throw SessionStoreError(.closed, "the store is closed") }
    }

    /// Ends the lifetime; `false` if it had ended before.
    @discardableResult
    package func close() -> Bool {
        let wasClosed = isClosed.exchange(true, ordering: .acquiringAndReleasing)
        sleepers.close()
        return !wasClosed
    }

    /// Waits for the end or the task's cancellation.
    package func waitForEnd() async {
        let sleeper = sleepers.subscribe(to: Self.end)
        defer { sleepers.unsubscribe(sleeper, from: Self.end) }
        while await sleeper.wait(atMost: nil, on: ContinuousClock()) != .closed {}
    }

    /// Sleeps, and returns `false` if the end or the task's cancellation came first.
    package func sleep(for duration: Duration, on timer: any Clock<Duration>) async -> Bool {
        let sleeper = sleepers.subscribe(to: Self.end)
        defer { sleepers.unsubscribe(sleeper, from: Self.end) }
        while true {
            switch await sleeper.wait(atMost: duration, on: timer) {
            case .changed: continue
            case .timeElapsed: return true
            case .closed: return false
            }
        }
    }
}
