/// The transport for URLs from strangers: checks the URL, resolves its host once, checks the addresses, connects to one of
/// those, and holds the answer to the request's limits.
///
/// ```swift
/// let transport = GuardedHTTPTransport(connector: AsyncHTTPClientConnector())
/// let response = try await transport.response(to: .get(url, accepting: [.json]))
/// ```
public struct GuardedHTTPTransport: HTTPStreamingTransport {
    /// The permitted targets of requests.
    public let addressGuard: AddressGuard

    let connector: any HTTPConnector
    let clock: any Clock<Duration>
    private let resolver: any HostResolver

    /// The largest number of addresses of one host that are tried.
    public static let maximumAttempts = 4

    /// A transport over a connector.
    ///
    /// - Parameters:
    ///   - connector: Makes the connections.
    ///   - addressGuard: The permitted targets of requests.
    ///   - resolver: Finds the addresses of a host.
    ///   - clock: The clock for the time limits of a request.
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
        try await collected(request, clock, exchange)
    }

    /// Refuses a URL whose scheme, port or literal address the guard does not allow.
    public func requireAllowed(_ url: HTTPURL) throws(TransportError) { try addressGuard.requireAllowed(url) }

    /// The answer to a request, as soon as its header has come.
    public func stream(for request: HTTPTransportRequest) async throws(TransportError) -> HTTPResponseStream {
        try await HTTPResponseStream.open(request, clock: clock) { receiver throws(TransportError) in
            try await exchange(request, receiver)
        }
    }

    /// A transport that keeps its connection to the host of a URL.
    public func keepingConnection(to url: HTTPURL) -> any HTTPStreamingTransport {
        KeptHTTPTransport(self, url)
    }

    /// Does nothing: each exchange has a connection of its own.
    public func close() async {}

    /// Carries an exchange over a connection of its own.
    @Sendable func exchange(
        _ request: HTTPTransportRequest,
        _ receiver: any ResponseReceiver
    ) async throws(TransportError) {
        try addressGuard.requireAllowed(request.url)
        if let connection = connector.connection(byNameTo: request.url, timeout: request.limits.timeout) {
            return try await closing(connection) { connection throws(TransportError) in
                try await requireAllowedName(of: request)
                try await connection.exchange(request, receiver: receiver)
            }
        }
        let addresses = try await addresses(of: request.url.host)
        try await attempt(addresses, for: request) { address throws(TransportError) in
            let connection = connection(to: address, of: addresses.count, for: request)
            try await closing(connection) { connection throws(TransportError) in
                try await connection.exchange(request, receiver: receiver)
            }
        }
    }

    /// Uses a connection, and closes it whatever comes of that.
    private func closing(
        _ connection: any HTTPConnection,
        after use: (any HTTPConnection) async throws(TransportError) -> Void
    ) async throws(TransportError) {
        let result: Result<Void, TransportError>
        do throws(TransportError) {
            result = .success(try await use(connection))
        } catch {
            result = .failure(error)
        }
        await connection.close()
        try result.get()
    }

    /// A connection to one of a number of addresses.
    func connection(
        to address: IPAddress,
        of count: Int,
        for request: HTTPTransportRequest
    ) -> any HTTPConnection {
        // A share of the whole, so that there is some left for the host's next address.
        let timeout = request.limits.timeout / max(1, min(count, Self.maximumAttempts))
        return connector.connection(to: address, for: request.url, timeout: timeout)
    }

    /// The checked addresses of a host.
    func addresses(of host: HTTPURL.Host) async throws(TransportError) -> [IPAddress] {
        switch host {
        case .address(let address):
            return [address]
        case .name(let name):
            let addresses = try await resolved(name)
            try addressGuard.requireAllowed(addresses, of: host)
            return addresses
        }
    }

    private func resolved(_ name: String) async throws(TransportError) -> [IPAddress] {
        do {
            return try await resolver.addresses(of: name)
        } catch {
            if error.code == .resolverBusy { FetchNote.current?.setBusy() }
            throw error
        }
    }

    /// Refuses a host that a proxy is going to find, if its name resolves here to an address that is not allowed.
    ///
    /// The proxy decides about a name that does not resolve here, or not within a quarter of the request's time.
    func requireAllowedName(of request: HTTPTransportRequest) async throws(TransportError) {
        guard case .name(let name) = request.url.host else { return }
        let addresses: [IPAddress]
        do {
            addresses = try await withTimeout(request.limits.timeout / 4, clock, of: request) {
                () async throws(TransportError) in try await resolved(name)
            }
        } catch {
            guard error.code == .resolutionFailed || error.code == .timedOut else { throw error }
            return
        }
        try addressGuard.requireAllowed(addresses, of: request.url.host)
    }

    /// Tries one address after the other, of either family in turn, as long as no connection comes about.
    func attempt(
        _ addresses: [IPAddress],
        for request: HTTPTransportRequest,
        _ exchange: (IPAddress) async throws(TransportError) -> Void
    ) async throws(TransportError) {
        var failure = TransportError(.connectionFailed, "there is no address", path: [request.url.description])
        for address in Self.alternating(addresses).prefix(Self.maximumAttempts) {
            do throws(TransportError) {
                return try await exchange(address)
            } catch {
                guard error.code == .connectionFailed, !Task.isCancelled else { throw error }
                failure = error
            }
        }
        throw failure
    }
}

extension GuardedHTTPTransport {
    /// The addresses with the families in turn, so that a broken network of one does not use up all attempts.
    ///
    /// The preferred address stays the first (RFC 8305, section 4).
    private static func alternating(_ addresses: [IPAddress]) -> [IPAddress] {
        guard let first = addresses.first else { return [] }
        let preferred = addresses.filter { $0.isVersion6 == first.isVersion6 }
        let others = addresses.filter { $0.isVersion6 != first.isVersion6 }
        return (0..<max(preferred.count, others.count)).flatMap { index in
            [preferred, others].compactMap { index < $0.count ? $0[index] : nil }
        }
    }
}

extension IPAddress {
    fileprivate var isVersion6: Bool {
        if case .v6 = self { true } else { false }
    }
}

/// The complete answer that an exchange gives, within the request's time.
func collected(
    _ request: HTTPTransportRequest,
    _ clock: any Clock<Duration>,
    _ exchange: @escaping @Sendable (HTTPTransportRequest, any ResponseReceiver) async throws(TransportError) -> Void
) async throws(TransportError) -> HTTPTransportResponse {
    try await withTimeout(request.limits.timeout, clock, of: request) { () async throws(TransportError) in
        let collector = ResponseCollector(for: request)
        try await exchange(request, collector)
        return try collector.finish()
    }
}
