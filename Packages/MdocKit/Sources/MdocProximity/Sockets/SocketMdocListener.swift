public import MdocKit

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
    /// - Throws: ``MdocError`` with code `transportFailed`.
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
    /// - Throws: ``MdocError`` with code `transportFailed`, or `concurrentUse` where another task waits.
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
