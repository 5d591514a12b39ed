public import MdocKit

/// Connects a reader to the socket that an engagement names, see ``DeviceRetrievalMethod/socket(_:)``.
public struct SocketMdocConnector: MdocTransportConnector {
    private let endpoint: SocketEndpoint?
    private let maximumMessageSize: Int

    /// Makes a connector.
    ///
    /// - Parameters:
    ///   - endpoint: The address to connect to, whatever engagements say; nil to follow them.
    ///   - maximumMessageSize: The largest message in bytes that is sent or taken.
    public init(to endpoint: SocketEndpoint? = nil, maximumMessageSize: Int = MdocLimits().messageSize) {
        self.endpoint = endpoint
        self.maximumMessageSize = maximumMessageSize
    }

    /// Opens a channel to the wallet.
    ///
    /// - Throws: `MdocError` with code `transportFailed` for an engagement without a socket, or a socket without a
    ///   listener.
    public func connect(to engagement: DeviceEngagement) async throws(MdocError) -> any MdocTransport {
        guard let endpoint = endpoint ?? engagement.retrievalMethods.lazy.compactMap(\.socketEndpoint).first else {
            throw MdocError(.transportFailed, "the engagement names no socket")
        }
        return try await SocketMdocTransport.connect(to: endpoint, maximumMessageSize: maximumMessageSize)
    }
}

/// A socket that waits for connections of the other side.
///
/// ```swift
/// let listener = try SocketMdocListener(at: .unix(path: "/tmp/wallet"))
/// let transport = try await listener.accept()
/// ```
///
/// A path is for this user alone and is removed when the listener is closed or released; one that exists already is
/// left alone, and nothing listens there.
public final class SocketMdocListener: Sendable {
    /// The address of the socket, with the port that the system chose.
    public let endpoint: SocketEndpoint

    private let socket: AsyncSocket
    private let maximumMessageSize: Int

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - endpoint: The address.
    ///   - maximumMessageSize: The largest message in bytes that connections send or take.
    /// - Throws: `MdocError` with code `transportFailed`.
    public init(
        at endpoint: SocketEndpoint,
        maximumMessageSize: Int = MdocLimits().messageSize
    ) throws(MdocError) {
        let descriptor = try SocketCalls.open(endpoint.family)
        socket = AsyncSocket(descriptor)
        self.maximumMessageSize = maximumMessageSize
        try SocketCalls.listen(descriptor, at: endpoint)
        self.endpoint = SocketEndpoint(boundTo: descriptor) ?? endpoint
    }

    deinit {
        close()
    }

    /// The next connection; a task that is cancelled meanwhile closes the listener.
    ///
    /// - Throws: `MdocError` with code `transportFailed`, or `concurrentUse` if another task waits.
    public func accept() async throws(MdocError) -> SocketMdocTransport {
        let family = endpoint.family
        let descriptor = try await socket.perform(.reading) { SocketCalls.acceptNext($0, family) }
        return SocketMdocTransport(AsyncSocket(descriptor), maximumMessageSize: maximumMessageSize)
    }

    /// Stops listening; connections that were accepted stay.
    public func close() {
        let wasOpen = socket.close()
        if wasOpen, case .unix(let path) = endpoint { SocketCalls.remove(path: path) }
    }
}
