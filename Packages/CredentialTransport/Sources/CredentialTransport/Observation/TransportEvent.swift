/// An event in a client, for an operator's logs and metrics: a fetch, a refusal, the use of a kept document.
///
/// It has neither bodies nor header fields, and no query of a URL, since those can hold secrets.
public struct TransportEvent: Sendable {
    /// The kind of an event.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The name, in lower camel case.
        public let description: String

        /// Names a kind.
        public init(_ name: String) {
            description = name
        }

        /// An answer came and was accepted.
        public static let fetched = Kind("fetched")
        /// No answer came, or the request or its answer was refused.
        public static let refused = Kind("refused")
        /// A kept document was used, and nothing was requested.
        public static let kept = Kind("kept")
        /// A document past its lifetime stood in for one that could not be fetched.
        public static let stale = Kind("stale")
        /// Nothing was requested, since a request failed a short time ago.
        public static let postponed = Kind("postponed")
    }

    /// The kind.
    public let kind: Kind
    /// The URL without its query, or the name that a cache keeps a document by; nil for a document without one.
    public let subject: String?
    /// The status of the answer.
    public var status: Int?
    /// The size of the body or document in bytes.
    public var size: Int?
    /// The time from the request to the end of its answer.
    public var duration: Duration?
    /// The reason of a refusal.
    public var reason: String?

    /// Describes an event.
    public init(
        _ kind: Kind,
        of subject: String?,
        status: Int? = nil,
        size: Int? = nil,
        duration: Duration? = nil,
        reason: String? = nil
    ) {
        self.kind = kind
        self.subject = subject
        self.status = status
        self.size = size
        self.duration = duration
        self.reason = reason
    }
}

extension TransportEvent: CustomStringConvertible {
    /// One line: kind, subject, and what is known beside them.
    public var description: String {
        let parts = [
            kind.description, subject, status.map { "status \($0)" }, size.map { "\($0) bytes" },
            duration.map { "in \($0)" }, reason,
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }
}

/// A function that is told the events of clients; one observer can serve many of them.
///
/// ```swift
/// let observer = TransportObserver { event in logger.info("\(event)") }
/// let transport = ObservedHTTPTransport(GuardedHTTPTransport(connector: connector), observer: observer)
/// let caching = DocumentCacheOptions(observer: observer)
/// ```
public final class TransportObserver: Sendable {
    private let observe: @Sendable (TransportEvent) -> Void

    /// Makes an observer; the function returns at once, since clients wait for it.
    public init(_ observe: @escaping @Sendable (TransportEvent) -> Void) {
        self.observe = observe
    }

    /// Tells an event.
    public func notify(_ event: TransportEvent) {
        observe(event)
    }
}

extension TransportObserver: Hashable {
    /// Returns `true` for the same observer.
    public static func == (left: TransportObserver, right: TransportObserver) -> Bool { left === right }

    /// Hashes the identity of the observer.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
