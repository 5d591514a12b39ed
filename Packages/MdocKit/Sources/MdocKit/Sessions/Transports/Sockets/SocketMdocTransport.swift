import Synchronization

/// A channel over TCP or a Unix socket, between two processes or two machines.
///
/// Each message has its length before it, as over L2CAP (``L2CAPMessage``). The session's own encryption is all the protection there
/// is; it is all that ISO/IEC 18013-5 asks of a transport.
public final class SocketMdocTransport: MdocTransport {
    /// The largest message in bytes that is sent or taken.
    public let maximumMessageSize: Int

    private struct Use {
        var isSending = false
        var isReceiving = false
    }

    private struct Incoming {
        var decoder: L2CAPMessageDecoder
        /// Those that came whole and nobody has taken.
        var messages: [[UInt8]] = []
    }

    private let socket: AsyncSocket
    private let use = Mutex(Use())
    private let incoming: Mutex<Incoming>

    /// How much is read at once; what a message claims to be is not believed before it is there.
    private static let chunkSize = 64 << 10

    init(_ socket: AsyncSocket, maximumMessageSize: Int) {
        self.socket = socket
        let limit = max(0, min(maximumMessageSize, Int(UInt32.max)))
        self.maximumMessageSize = limit
        incoming = Mutex(Incoming(decoder: L2CAPMessageDecoder(maximumMessageSize: limit)))
    }

    /// Connects to a socket that listens.
    ///
    /// - Parameters:
    ///   - endpoint: Where it listens.
    ///   - maximumMessageSize: The largest message in bytes that is sent or taken.
    /// - Throws: ``MdocError`` with code `transportFailed`.
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
        try enter(\.isSending, "sends")
        defer { leave(\.isSending) }
        var rest = try L2CAPMessage.encoded(message)[...]
        while !rest.isEmpty {
            let part = rest
            let count = try await socket.perform(.writing) { SocketCalls.write($0, part) }
            rest = rest.dropFirst(count)
        }
    }

    /// The next message; nil once the other side has closed the channel between two messages.
    public func receive() async throws(MdocError) -> [UInt8]? {
        try enter(\.isReceiving, "receives")
        defer { leave(\.isReceiving) }
        do throws(MdocError) {
            while true {
                if let message = nextMessage() { return message }
                let bytes = try await socket.perform(.reading) { SocketCalls.read($0, atMost: Self.chunkSize) }
                guard !bytes.isEmpty else { return try end() }
                try incoming.withLock { (incoming) throws(MdocError) in
                    incoming.messages += try incoming.decoder.append(bytes)
                }
            }
        } catch {
            // What follows cannot be told apart any more.
            socket.close()
            throw error
        }
    }

    /// Closes the channel; whoever waits on it goes on at once.
    public func close() async {
        socket.close()
    }

    private func nextMessage() -> [UInt8]? {
        incoming.withLock { $0.messages.isEmpty ? nil : $0.messages.removeFirst() }
    }

    /// Nothing more comes, which is good between two messages only.
    private func end() throws(MdocError) -> [UInt8]? {
        guard !incoming.withLock(\.decoder.isWithinMessage) else {
            throw MdocError(.transportFailed, "the channel ended within a message")
        }
        return nil
    }

    private func enter(_ flag: WritableKeyPath<Use, Bool>, _ verb: String) throws(MdocError) {
        let isFree = use.withLock { use in
            defer { use[keyPath: flag] = true }
            return !use[keyPath: flag]
        }
        guard isFree else { throw MdocError(.concurrentUse, "another task \(verb) already") }
    }

    private func leave(_ flag: WritableKeyPath<Use, Bool>) {
        use.withLock { $0[keyPath: flag] = false }
    }
}
