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
    /// - Throws: ``MdocError`` with code `transportFailed` for an engagement without a socket, or a socket without a
    ///   listener.
    public func connect(to engagement: DeviceEngagement) async throws(MdocError) -> any MdocTransport {
        guard let endpoint = endpoint ?? engagement.retrievalMethods.lazy.compactMap(\.socketEndpoint).first else {
            throw MdocError(.transportFailed, "the engagement names no socket")
        }
        return try await SocketMdocTransport.connect(to: endpoint, maximumMessageSize: maximumMessageSize)
    }
}
