public import IRMAMessages
import VerificationCore

/// An event of a server's sessions, for an operator's metrics and logs.
///
/// It has no attribute, no token and no key.
public struct SessionObservation: Hashable, Sendable {
    /// A start or an end of a session: an open set.
    public struct Event: Hashable, Sendable, CustomStringConvertible {
        /// The name, in lower case.
        public let description: String

        /// Takes a name.
        init(_ description: String) {
            self.description = description
        }

        /// The session was started, by a requestor or as the next one of a chain.
        public static let started = Event("started")
        /// The session is finished, whether or not the wallet's proofs verified.
        public static let done = Event("done")
        /// The session was cancelled, by either side or for an error.
        public static let cancelled = Event("cancelled")
        /// The session took too long.
        public static let timedOut = Event("timeout")

        /// The end of a session with a state that no other follows; nil for any other state.
        init?(endingAs status: SessionStatus) {
            switch status {
            case .done: self = .done
            case .cancelled: self = .cancelled
            case .timedOut: self = .timedOut
            default: return nil
            }
        }
    }

    /// The event.
    public let event: Event
    /// The kind of the session.
    public let kind: SessionKind
    /// The name of the requestor; empty for one without authentication, nil for a session started in the process.
    public let requestor: String?

    /// An event of a session.
    init(_ event: Event, of record: SessionRecord) {
        self.event = event
        kind = record.request.kind
        requestor = record.requestor
    }
}

extension SessionObservation: CustomStringConvertible {
    /// One line: the event, the kind, and the requestor that has a name.
    public var description: String {
        let name = requestor.flatMap { $0.isEmpty ? nil : " for \($0)" } ?? ""
        return "\(event) \(kind)\(name)".escapedForDisplay()
    }
}

/// A function that is told the starts and ends of a server's sessions.
///
/// ```swift
/// services.observer = SessionObserver { observation in
///     logger.info("\(observation)")
///     Counter(label: "irma_events_total", dimensions: [("event", observation.event.description)]).increment()
/// }
/// ```
///
/// An event is told when the store has the change that brought it, by the process that made the change. A timeout is told by
/// ``SessionServer/endTimedOutSessions()``, unless somebody asks for the session before. Where an answer of the store is lost, the
/// process looks whether the end was made. The timeouts of a process that is gone are not told, but for those that a callback is to
/// hear of.
public final class SessionObserver: Sendable {
    private let observe: @Sendable (SessionObservation) -> Void

    /// Makes an observer; the function returns at once, since sessions wait for it.
    public init(_ observe: @escaping @Sendable (SessionObservation) -> Void) {
        self.observe = observe
    }

    /// Tells an event.
    public func notify(_ observation: SessionObservation) {
        observe(observation)
    }
}

extension SessionServer {
    /// Indicates that somebody is to hear of a session's end: a callback or the observer.
    func isEndAwaited(of record: SessionRecord) -> Bool {
        record.wishes.callbackURL != nil || services.observer != nil
    }

    /// Tells the observer of a session that has started.
    func tellStart(of record: SessionRecord) {
        services.observer?.notify(SessionObservation(.started, of: record))
    }

    /// Tells the end of a session to the observer, and sends its result to its callback URL.
    func tellEnd(of record: SessionRecord) {
        if let event = SessionObservation.Event(endingAs: record.status) {
            services.observer?.notify(SessionObservation(event, of: record))
        }
        deliver(record)
    }
}
