import IRMAMessages
import IdemixCore
import Synchronization

/// The changes of accumulators, for subscribers of a credential type.
final class RevocationFeed: Sendable {
    /// The number of events that an update carries, for subscribers that missed those before the last one.
    static let backlog = 16
    /// The number of updates that wait for a subscriber; older ones are dropped, and the subscriber fetches the missing
    /// ones.
    private static let maximumWaiting = 16

    private struct Key: Hashable {
        let type: CredentialTypeIdentifier
        let counter: UInt
    }

    private struct State {
        var subscribers: [CredentialTypeIdentifier: [UInt64: AsyncStream<RevocationUpdate>.Continuation]] = [:]
        var last: [Key: SignedAccumulator] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The updates of a type from now on.
    func updates(of type: CredentialTypeIdentifier) -> AsyncStream<RevocationUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: RevocationUpdate.self,
            bufferingPolicy: .bufferingNewest(Self.maximumWaiting)
        )
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            state.subscribers[type, default: [:]][state.nextID] = continuation
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in
                state.subscribers[type]?[id] = nil
                if state.subscribers[type]?.isEmpty == true { state.subscribers[type] = nil }
            }
        }
        return stream
    }

    /// Tells the subscribers of a type about an accumulator, unless it is the one that they were told last.
    func publish(_ update: RevocationUpdate, of type: CredentialTypeIdentifier) {
        let key = Key(type: type, counter: update.signedAccumulator.keyCounter)
        let subscribers = state.withLock { state in
            guard state.last.updateValue(update.signedAccumulator, forKey: key) != update.signedAccumulator else {
                return [AsyncStream<RevocationUpdate>.Continuation]()
            }
            return Array((state.subscribers[type] ?? [:]).values)
        }
        for subscriber in subscribers { subscriber.yield(update) }
    }

    /// The number of subscribers of a type.
    func subscriberCount(of type: CredentialTypeIdentifier) -> Int {
        state.withLock { $0.subscribers[type]?.count ?? 0 }
    }
}
