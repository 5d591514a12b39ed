public import MdocKit

/// A channel over TCP or a Unix socket, between two processes or two machines.
///
/// Each message has its length before it, as over L2CAP (``L2CAPMessage``). The session's own encryption is all the protection there
/// is; it is all that ISO/IEC 18013-5 asks of a transport.
public final class SocketMdocTransport: MdocTransport {
    /// The largest message in bytes that is sent or taken.
    public var maximumMessageSize: Int { messages.maximumMessageSize }

    private let socket: AsyncSocket
    private let messages: MessageStream

    /// The largest size of one read.
    ///
    /// A message's claimed length is not trusted before its bytes have arrived.
    private static let chunkSize = 64 << 10

    init(_ socket: AsyncSocket, maximumMessageSize: Int) {
        self.socket = socket
        messages = MessageStream(maximumMessageSize: maximumMessageSize)
    }

    /// Connects to a socket that listens.
    ///
    /// - Parameters:
    ///   - endpoint: The address that it listens at.
    ///   - maximumMessageSize: The largest message in bytes that is sent or taken.
    /// - Throws: `MdocError` with code `transportFailed`.
    public static func connect(
        to endpoint: SocketEndpoint,
        maximumMessageSize: Int = MdocLimits().messageSize
    ) async throws(MdocError) -> SocketMdocTransport {
        let descriptor = try SocketCalls.open(endpoint.family)
        let socket = AsyncSocket(descriptor)
        switch try SocketCalls.startConnecting(descriptor, to: endpoint) {
        case .done: break
        case .failed(let error): throw error
        case .wouldBlock:
            try await socket.waitUntilReady(for: .writing)
            try await socket.perform(.writing) { SocketCalls.connected($0, to: endpoint) }
        }
        return SocketMdocTransport(socket, maximumMessageSize: maximumMessageSize)
    }

    /// Sends a message; a task that is cancelled meanwhile closes the channel.
    public func send(_ message: [UInt8]) async throws(MdocError) {
        try requireAllowed(message)
        try await messages.send(message) { (bytes) async throws(MdocError) in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = rest
                let count = try await socket.perform(.writing) { SocketCalls.write($0, part) }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// The next message; nil once the other side has closed the channel between two messages.
    public func receive() async throws(MdocError) -> [UInt8]? {
        try await messages.receive { () async throws(MdocError) in
            try await socket.perform(.reading) { SocketCalls.read($0, atMost: Self.chunkSize) }
        } failed: {
            socket.close()
        }
    }

    /// Closes the channel.
    ///
    /// Every waiting task resumes at once.
    public func close() async {
        socket.close()
    }
}
