#if Server
import ServiceLifecycle
import Synchronization

/// The events of a test, in order, with a way to wait for one.
final class EventLog: Sendable {
    private struct State {
        var events: [String] = []
        var waiting: [(event: String, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var events: [String] { state.withLock { $0.events } }

    func add(_ event: String) {
        let reached = state.withLock { state in
            state.events.append(event)
            let reached = state.waiting.filter { $0.event == event }
            state.waiting.removeAll { $0.event == event }
            return reached
        }
        for waiter in reached { waiter.continuation.resume() }
    }

    /// Waits until something has happened.
    func wait(for event: String) async {
        await withCheckedContinuation { continuation in
            let isPast = state.withLock { state in
                if state.events.contains(event) { return true }
                state.waiting.append((event, continuation))
                return false
            }
            if isPast { continuation.resume() }
        }
    }
}

/// A service that notes its beginning and its end.
struct NotingService: Service {
    let name: String
    let log: EventLog

    func run() async throws {
        log.add("\(name) runs")
        do {
            try await gracefulShutdown()
        } catch {
            log.add("\(name) cancelled")
            throw error
        }
        log.add("\(name) stops")
    }
}
#endif
