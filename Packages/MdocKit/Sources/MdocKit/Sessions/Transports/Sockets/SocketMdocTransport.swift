import Synchronization

/// A channel over TCP or a Unix socket, between two processes or two machines.
///
/// Each message has its length before it, 4 bytes big-endian. The session's own encryption is all the protection there
/// is; it is all that ISO/IEC 18013-5 asks of a transport.
public final class SocketMdocTransport: MdocTransport {
    /// The largest message in bytes that is sent or taken.
    public let maximumMessageSize: Int

    private struct Use {
        var isSending = false
        var isReceiving = false
    }

    private let socket: AsyncSocket
    private let use = Mutex(Use())

    /// How much is read at once; what a message claims to be is not believed before it is there.
    private static let chunkSize = 64 << 10

    init(_ socket: AsyncSocket, maximumMessageSize: Int) {
        self.socket = socket
        self.maximumMessageSize = max(0, min(maximumMessageSize, Int(UInt32.max)))
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
        var rest = LengthPrefix.frame(message)[...]
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
            guard let head = try await read(LengthPrefix.size, mayEnd: true) else { return nil }
            let length = try LengthPrefix.length(head, limit: maximumMessageSize)
            return try await read(length, mayEnd: false)
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

    /// Exactly so many bytes; nil where the stream ends before the first, if it may.
    private func read(_ count: Int, mayEnd: Bool) async throws(MdocError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let missing = min(count - bytes.count, Self.chunkSize)
            let part = try await socket.perform(.reading) { SocketCalls.read($0, atMost: missing) }
            guard !part.isEmpty else {
                if mayEnd, bytes.isEmpty { return nil }
                throw MdocError(.transportFailed, "the channel ended within a message")
            }
            bytes += part
        }
        return bytes
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
