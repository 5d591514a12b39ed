/// The transport for URLs from strangers: checks the URL, resolves its host once, checks the addresses, connects to one of
/// those, and holds the answer to the request's limits.
///
/// ```swift
/// let transport = GuardedHTTPTransport(connector: AsyncHTTPClientConnector())
/// let response = try await transport.response(to: .get(url, accepting: [.json]))
/// ```
public struct GuardedHTTPTransport: HTTPTransport {
    /// The permitted targets of requests.
    public let addressGuard: AddressGuard

    private let connector: any HTTPConnector
    private let resolver: any HostResolver
    private let clock: any Clock<Duration>

    /// The largest number of addresses of one host that are tried.
    public static let maximumAttempts = 4

    /// A transport over a connector.
    ///
    /// - Parameters:
    ///   - connector: Carries the exchanges.
    ///   - addressGuard: The permitted targets of requests.
    ///   - resolver: Finds the addresses of a host.
    ///   - clock: The clock for the time limit of a request.
    public init(
        connector: any HTTPConnector,
        addressGuard: AddressGuard = AddressGuard(),
        resolver: any HostResolver = SystemHostResolver.shared,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.connector = connector
        self.addressGuard = addressGuard
        self.resolver = resolver
        self.clock = clock
    }

    /// The answer to a request.
    public func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        try addressGuard.requireAllowed(request.url)
        return try await withTimeout(request.limits.timeout, clock, of: request) { () async throws(TransportError) in
            try await answer(to: request, from: addresses(of: request.url.host))
        }
    }

    private func addresses(of host: HTTPURL.Host) async throws(TransportError) -> [IPAddress] {
        switch host {
        case .address(let address):
            return [address]
        case .name(let name):
            let addresses = try await resolver.addresses(of: name)
            try addressGuard.requireAllowed(addresses, of: host)
            return addresses
        }
    }

    /// Tries one address after the other, as long as no connection comes about.
    private func answer(
        to request: HTTPTransportRequest,
        from addresses: [IPAddress]
    ) async throws(TransportError) -> HTTPTransportResponse {
        var failure = TransportError(.connectionFailed, "there is no address", path: [request.url.description])
        for address in addresses.prefix(Self.maximumAttempts) {
            var collector = ResponseCollector(for: request)
            do {
                try await connector.exchange(request, with: address, collector: &collector)
                return try collector.finish()
            } catch {
                guard error.code == .connectionFailed, !Task.isCancelled else { throw error }
                failure = error
            }
        }
        throw failure
    }
}
