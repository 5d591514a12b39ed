import Synchronization

/// Tells the events of a session, in their order: to a callback, and to every sequence with those that came before it.
final class ProximityEventLog: Sendable {
    private struct State {
        var told: [ProximitySessionEvent] = []
        var untold: [ProximitySessionEvent] = []
        var isTelling = false
        var isFinished = false
        var listeners: [Int: AsyncStream<ProximitySessionEvent>.Continuation] = [:]
        var listenerCount = 0
    }

    private let state = Mutex(State())
    private let tell: @Sendable (ProximitySessionEvent) -> Void

    init(_ tell: @escaping @Sendable (ProximitySessionEvent) -> Void) {
        self.tell = tell
    }

    deinit {
        let listeners = state.withLock { $0.listeners.values.map(\.self) }
        for listener in listeners { listener.finish() }
    }

    /// Tells an event; those of other tasks come before or after it, and never at the same time.
    func post(_ event: ProximitySessionEvent) {
        let isIdle = state.withLock { state in
            guard !state.isFinished else { return false }
            state.untold.append(event)
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard isIdle else { return }
        while let next = nextUntold() { tell(next) }
    }

    /// Gives the next event to the sequences, and to the caller for the callback.
    private func nextUntold() -> ProximitySessionEvent? {
        typealias Listeners = [Int: AsyncStream<ProximitySessionEvent>.Continuation]
        let (event, finished) = state.withLock { state -> (ProximitySessionEvent?, Listeners) in
            guard !state.untold.isEmpty else {
                state.isTelling = false
                return (nil, [:])
            }
            let event = state.untold.removeFirst()
            state.told.append(event)
            for listener in state.listeners.values { listener.yield(event) }
            guard case .terminated = event else { return (event, [:]) }
            defer { state.listeners = [:] }
            state.isFinished = true
            return (event, state.listeners)
        }
        // A sequence that finishes calls back, and takes the lock.
        for listener in finished.values { listener.finish() }
        return event
    }

    /// All events from the first on; ends with the session.
    func events() -> AsyncStream<ProximitySessionEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: ProximitySessionEvent.self)
        let number = state.withLock { state -> Int? in
            for event in state.told { continuation.yield(event) }
            guard !state.isFinished else { return nil }
            state.listenerCount += 1
            state.listeners[state.listenerCount] = continuation
            return state.listenerCount
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }
}
