import Dispatch
import Synchronization

/// The resolver of the operating system, `getaddrinfo`.
///
/// It blocks a thread while it works, so it runs on threads of its own and never on those of Swift's concurrency. A lookup that
/// its caller has given up goes on until the system ends it; how many there are at once is therefore bounded.
public final class SystemHostResolver: HostResolver {
    /// The resolver that everyone shares by default: 64 lookups at once.
    public static let shared = SystemHostResolver(maximumLookups: 64)

    private let maximumLookups: Int
    private let lookups = Mutex(0)

    /// A resolver of its own.
    ///
    /// - Parameter maximumLookups: The number of lookups that may run at once; the next one is refused.
    public init(maximumLookups: Int) {
        self.maximumLookups = maximumLookups
    }

    /// The addresses of a name.
    public func addresses(of host: String) async throws(TransportError) -> [IPAddress] {
        try enter(host)
        let outcome = PendingOutcome<[IPAddress], TransportError>()
        let cancellation = TransportError(.cancelled, "the task was cancelled", path: [host])
        let result = await outcome.value(orOnCancellation: cancellation) {
            // A concurrent queue would take the threads of Swift's concurrency, one for each core; serial ones have others.
            DispatchQueue(label: "CredentialTransport.SystemHostResolver").async {
                outcome.complete(with: AddressLookup.addresses(of: host))
                self.leave()
            }
        }
        return try result.get()
    }

    private func enter(_ host: String) throws(TransportError) {
        let hasRoom = lookups.withLock { count in
            guard count < maximumLookups else { return false }
            count += 1
            return true
        }
        guard hasRoom else {
            throw TransportError(.resolverBusy, "\(maximumLookups) lookups are under way", path: [host])
        }
    }

    private func leave() {
        lookups.withLock { $0 -= 1 }
    }
}
