import HTTPTypes
import Synchronization

/// A transport that resolves and checks one host once, and keeps its connection to an address of it.
///
/// The first answer fixes the address. Every later exchange goes there, so that a changed answer of the DNS cannot move the
/// session to another machine. Through a proxy that finds the host by its name, there is one connection.
final class KeptHTTPTransport: HTTPStreamingTransport {
    private struct State {
        /// The checked addresses: all of the host at first, the one that answered from then on.
        var addresses: [IPAddress]?
        var connections: [IPAddress: any HTTPConnection] = [:]
        /// The connection through a proxy that finds the host.
        var connectionByName: (any HTTPConnection)?
        /// Indicates that the name of the host was checked, as far as it can be here.
        var isNameChecked = false
        var isClosed = false

        /// Takes all connections out.
        mutating func takeConnections() -> [any HTTPConnection] {
            defer { (connections, connectionByName) = ([:], nil) }
            return Array(connections.values) + (connectionByName.map { [$0] } ?? [])
        }
    }

    private let transport: GuardedHTTPTransport
    private let origin: HTTPURL.Origin
    private let state = Mutex(State())

    init(_ transport: GuardedHTTPTransport, _ url: HTTPURL) {
        self.transport = transport
        origin = url.origin
    }

    deinit {
        let connections = state.withLock { $0.takeConnections() }
        guard !connections.isEmpty else { return }
        Task { for connection in connections { await connection.close() } }
    }

    func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        try await collected(request, transport.clock, exchange)
    }

    func requireAllowed(_ url: HTTPURL) throws(TransportError) { try transport.requireAllowed(url) }

    func stream(for request: HTTPTransportRequest) async throws(TransportError) -> HTTPResponseStream {
        try await HTTPResponseStream.open(request, clock: transport.clock) { receiver throws(TransportError) in
            try await self.exchange(request, receiver)
        }
    }

    func keepingConnection(to url: HTTPURL) -> any HTTPStreamingTransport {
        url.origin == origin ? self : transport.keepingConnection(to: url)
    }

    func close() async {
        let connections = state.withLock { state in
            state.isClosed = true
            return state.takeConnections()
        }
        for connection in connections { await connection.close() }
    }

    @Sendable private func exchange(
        _ request: HTTPTransportRequest,
        _ receiver: any ResponseReceiver
    ) async throws(TransportError) {
        guard request.url.origin == origin else { return try await transport.exchange(request, receiver) }
        try transport.addressGuard.requireAllowed(request.url)
        if let connection = try connectionByName(for: request) {
            try await checkName(for: request)
            return try await connection.exchange(request, receiver: receiver)
        }
        let addresses = try await addresses(for: request)
        try await transport.attempt(addresses, for: request) { address throws(TransportError) in
            let connection = try connection(to: address, of: addresses.count, for: request)
            let pinning = PinningReceiver(receiver) { self.pin(address) }
            try await connection.exchange(request, receiver: pinning)
        }
    }

    /// The checked addresses; of callers that resolve the host at once, the first decides for all.
    private func addresses(for request: HTTPTransportRequest) async throws(TransportError) -> [IPAddress] {
        if let addresses = state.withLock({ $0.addresses }) { return addresses }
        let found = try await transport.addresses(of: request.url.host)
        return state.withLock { state in
            let addresses = state.addresses ?? found
            state.addresses = addresses
            return addresses
        }
    }

    private func connection(
        to address: IPAddress,
        of count: Int,
        for request: HTTPTransportRequest
    ) throws(TransportError) -> any HTTPConnection {
        try withOpenState(for: request) { state in
            if let connection = state.connections[address] { return connection }
            let connection = transport.connection(to: address, of: count, for: request)
            state.connections[address] = connection
            return connection
        }
    }

    /// The connection through a proxy that finds the host; nil where a connection needs an address.
    private func connectionByName(for request: HTTPTransportRequest) throws(TransportError) -> (any HTTPConnection)? {
        try withOpenState(for: request) { state in
            if let connection = state.connectionByName { return connection }
            let connection = transport.connector.connection(byNameTo: request.url, timeout: request.limits.timeout)
            state.connectionByName = connection
            return connection
        }
    }

    /// Checks the name of the host, before the first exchange that goes by it.
    private func checkName(for request: HTTPTransportRequest) async throws(TransportError) {
        if state.withLock({ $0.isNameChecked }) { return }
        try await transport.requireAllowedName(of: request)
        state.withLock { $0.isNameChecked = true }
    }

    private func withOpenState<Connection: Sendable>(
        for request: HTTPTransportRequest,
        _ body: (inout State) -> Connection
    ) throws(TransportError) -> Connection {
        try state.withLock { state throws(TransportError) in
            guard !state.isClosed else {
                throw TransportError(.cancelled, "the session is closed", path: [request.url.description])
            }
            return body(&state)
        }
    }

    /// Leaves one address for all later exchanges.
    private func pin(_ address: IPAddress) {
        state.withLock { state in
            guard let addresses = state.addresses, addresses.count > 1, addresses.contains(address) else { return }
            state.addresses = [address]
        }
    }
}

/// Tells when an answer begins.
private struct PinningReceiver: ResponseReceiver {
    private let receiver: any ResponseReceiver
    private let onAnswer: @Sendable () -> Void

    init(_ receiver: any ResponseReceiver, onAnswer: @escaping @Sendable () -> Void) {
        self.receiver = receiver
        self.onAnswer = onAnswer
    }

    func receive(head: HTTPResponse) async throws(TransportError) {
        onAnswer()
        try await receiver.receive(head: head)
    }

    func receive(_ piece: [UInt8]) async throws(TransportError) {
        try await receiver.receive(piece)
    }
}
