import Dispatch
import Synchronization

/// The resolver of the operating system: its file of hosts, then `getaddrinfo`.
///
/// A lookup blocks a thread, so it runs on one of its own and never on those of Swift's concurrency. Callers that ask for the
/// same name at once share a lookup. A lookup that its callers have abandoned runs until the system ends it, so the number of
/// lookups is bounded.
public final class SystemHostResolver: HostResolver {
    /// The resolver that everyone shares by default: 64 lookups at once.
    public static let shared = SystemHostResolver(maximumLookups: 64)

    private typealias Outcome = PendingOutcome<[IPAddress], TransportError>

    private let maximumLookups: Int
    private let lookup: @Sendable (String) -> Result<[IPAddress], TransportError>
    /// The callers that wait for each name that is being looked up.
    private let callers = Mutex<[String: [ObjectIdentifier: Outcome]]>([:])

    /// A resolver of its own.
    ///
    /// - Parameter maximumLookups: The number of names that may be looked up at once; the next one is refused.
    public convenience init(maximumLookups: Int) {
        self.init(maximumLookups: maximumLookups) { AddressLookup.addresses(of: $0) }
    }

    /// A resolver with a lookup of the caller's, which may block.
    package init(
        maximumLookups: Int,
        lookup: @escaping @Sendable (String) -> Result<[IPAddress], TransportError>
    ) {
        self.maximumLookups = maximumLookups
        self.lookup = lookup
    }

    /// The number of callers that wait for a lookup.
    package var callerCount: Int { callers.withLock { $0.values.map(\.count).reduce(0, +) } }

    /// The addresses of a name.
    public func addresses(of host: String) async throws(TransportError) -> [IPAddress] {
        let outcome = Outcome()
        let isFirst = try enter(outcome, host)
        let cancellation = TransportError(.cancelled, "the task was cancelled", path: [host])
        let result = await outcome.value(orOnCancellation: cancellation) { if isFirst { start(host) } }
        leave(outcome, host)
        return try result.get()
    }

    private func start(_ host: String) {
        // A concurrent queue would take the threads of Swift's concurrency, one for each core; serial ones have others.
        DispatchQueue(label: "CredentialTransport.SystemHostResolver").async {
            let result = self.lookup(host)
            let outcomes = self.callers.withLock { $0.removeValue(forKey: host) }
            for outcome in (outcomes ?? [:]).values { outcome.complete(with: result) }
        }
    }

    /// Adds a caller, and returns `true` for the first one of its name.
    private func enter(_ outcome: Outcome, _ host: String) throws(TransportError) -> Bool {
        try callers.withLock { callers throws(TransportError) in
            let isFirst = callers[host] == nil
            guard !isFirst || callers.count < maximumLookups else {
                throw TransportError(.resolverBusy, "\(maximumLookups) lookups are under way", path: [host])
            }
            callers[host, default: [:]][ObjectIdentifier(outcome)] = outcome
            return isFirst
        }
    }

    /// Removes a caller that has given up.
    private func leave(_ outcome: Outcome, _ host: String) {
        callers.withLock { callers in _ = callers[host]?.removeValue(forKey: ObjectIdentifier(outcome)) }
    }
}
