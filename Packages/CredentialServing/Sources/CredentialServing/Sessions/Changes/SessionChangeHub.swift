import Synchronization

/// The readers of one store's changes in this process.
///
/// A store signals a key after each commit; the readers of that key then read the session from the store. A signal is a
/// mark, not a queue, so memory does not grow with the number of changes.
public final class SessionChangeHub: Sendable {
    private struct State {
        var subscriptions: [SessionKey: [ObjectIdentifier: SessionSubscription]] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    /// The number of readers, changed with the state; a signal to none takes no lock.
    ///
    /// A reader is counted before it reads its session, and a session is committed before its signal, so that one of the two
    /// sees the other.
    private let count = Atomic(0)

    /// A hub without readers.
    public init() {}

    /// The number of readers.
    public var subscriptionCount: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Marks a key as changed, after the commit.
    public func signal(_ key: SessionKey) {
        guard subscriptionCount > 0 else { return }
        let subscriptions = state.withLock { state in state.subscriptions[key].map { Array($0.values) } }
        for subscription in subscriptions ?? [] { subscription.signal() }
    }

    /// Marks every key as changed, after a time in which changes of others may have been missed.
    public func signalAll() {
        let subscriptions = state.withLock { $0.subscriptions.values.flatMap(\.values) }
        for subscription in subscriptions { subscription.signal() }
    }

    /// Ends all readers, and those that come later.
    public func close() {
        let subscriptions = state.withLock { state in
            state.isClosed = true
            count.store(0, ordering: .sequentiallyConsistent)
            defer { state.subscriptions = [:] }
            return state.subscriptions.values.flatMap(\.values)
        }
        for subscription in subscriptions { subscription.close() }
    }

    func subscribe(to key: SessionKey) -> SessionSubscription {
        let subscription = SessionSubscription()
        let isClosed = state.withLock { state in
            guard !state.isClosed else { return true }
            state.subscriptions[key, default: [:]][ObjectIdentifier(subscription)] = subscription
            count.add(1, ordering: .sequentiallyConsistent)
            return false
        }
        if isClosed { subscription.close() }
        return subscription
    }

    func unsubscribe(_ subscription: SessionSubscription, from key: SessionKey) {
        state.withLock { state in
            let removed = state.subscriptions[key]?.removeValue(forKey: ObjectIdentifier(subscription))
            guard removed != nil else { return }
            count.subtract(1, ordering: .sequentiallyConsistent)
            if state.subscriptions[key]?.isEmpty == true { state.subscriptions[key] = nil }
        }
        subscription.close()
    }
}
