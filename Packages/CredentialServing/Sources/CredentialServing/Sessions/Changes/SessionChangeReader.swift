/// The place of one reader in the states of a session.
///
/// It belongs to one iterator, so only one task uses it at a time.
final class SessionChangeReader {
    typealias Transform = @Sendable (SessionEntry) throws(SessionStoreError) -> SessionEntry

    var transform: Transform = { entry in entry }

    private let key: SessionKey
    private let hub: SessionChangeHub
    private let clock: SessionClock
    private let retryInterval: Duration
    private let read: SessionChanges.Read
    private let subscription: SessionSubscription
    private var known: SessionVersion?
    private var expiry: Int64?
    private var isAway = false
    private var isFinished = false

    init(
        key: SessionKey,
        known: SessionVersion?,
        hub: SessionChangeHub,
        clock: SessionClock,
        retryInterval: Duration,
        read: @escaping SessionChanges.Read
    ) {
        self.key = key
        self.known = known
        self.hub = hub
        self.clock = clock
        self.retryInterval = retryInterval
        self.read = read
        subscription = hub.subscribe(to: key)
    }

    deinit {
        hub.unsubscribe(subscription, from: key)
    }

    /// The next state that is not known yet, or nil at the end.
    func next(isolation: isolated (any Actor)? = #isolation) async throws(SessionStoreError) -> SessionEntry? {
        while !isFinished {
            switch await subscription.wait(atMost: longestWait, on: clock.timer) {
            case .closed:
                finish()
            case .changed, .timeElapsed:
                if let entry = try await readState() { return entry }
            }
        }
        return nil
    }

    /// The time until the session expires or the store is asked again.
    private var longestWait: Duration? {
        if isAway { return retryInterval }
        return expiry.map { .milliseconds(max($0 - clock.milliseconds, 0)) }
    }

    /// The present state, or nil if it is known or the sequence has ended.
    private func readState(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(SessionStoreError) -> SessionEntry? {
        do {
            guard let entry = try await read(),
                entry.version.generation == known?.generation ?? entry.version.generation
            else {
                finish()
                return nil
            }
            isAway = false
            expiry = entry.expiryMilliseconds
            guard known.map(entry.version.isLater) ?? true else { return nil }
            // Reading takes time, in which the session may have expired.
            guard entry.expiryMilliseconds > clock.milliseconds else {
                finish()
                return nil
            }
            let state = try transform(entry)
            known = entry.version
            return state
        } catch {
            guard error.code == .unavailable || error.code == .outcomeUnknown else {
                finish()
                if error.code == .closed || error.code == .cancelled { return nil }
                throw error
            }
            isAway = true
            return nil
        }
    }

    private func finish() {
        isFinished = true
        hub.unsubscribe(subscription, from: key)
    }
}
