#if Server
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A connection that sends whatever bytes it likes, and drops what it gets.
final class HostileClient: Sendable {
    private let channel: any Channel
    private let received: Received

    private init(channel: any Channel, received: Received) {
        self.channel = channel
        self.received = received
    }

    /// - Parameters:
    ///   - identity: The server's, for a client over TLS that says it speaks HTTP/2.
    ///   - closesWithServer: Indicates that the client closes when the server has closed its side.
    ///   - reads: Indicates that the client reads what it gets.
    static func connect(
        to port: Int,
        identity: TestIdentity? = nil,
        closesWithServer: Bool = true,
        reads: Bool = true
    ) async throws -> HostileClient {
        let tls = try identity?.clientContext(protocols: ["h2"])
        let received = Received()
        let bootstrap = bootstrap(tls, received, closesWithServer: closesWithServer, reads: reads)
        return HostileClient(
            channel: try await bootstrap.connect(host: "127.0.0.1", port: port).get(),
            received: received
        )
    }

    /// Connects over a socket in the file system.
    static func connect(toSocket path: String) async throws -> HostileClient {
        let received = Received()
        let bootstrap = bootstrap(nil, received, closesWithServer: true, reads: true)
        return HostileClient(channel: try await bootstrap.connect(unixDomainSocketPath: path).get(), received: received)
    }

    private static func bootstrap(
        _ tls: NIOSSLContext?,
        _ received: Received,
        closesWithServer: Bool,
        reads: Bool
    ) -> ClientBootstrap {
        ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: !closesWithServer)
            .channelOption(.autoRead, value: reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        let handler = try NIOSSLClientHandler(context: tls, serverHostname: "localhost")
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    try channel.pipeline.syncOperations.addHandler(received.makeHandler())
                }
            }
    }

    /// The first bytes of what was received.
    var text: String { received.text }

    func send(_ text: String) async throws {
        try await send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    func close() async {
        try? await channel.close()
    }

    /// Waits until the server has closed the connection.
    func waitForClose() async throws {
        try await channel.closeFuture.get()
    }

    /// Waits until the first bytes of what was received fulfill a condition, or the connection is closed.
    ///
    /// - Parameter isThere: The condition; at least one byte by default.
    func waitForAnswer(_ isThere: @escaping @Sendable (String) -> Bool = { !$0.isEmpty }) async {
        await received.wait(for: isThere)
    }

    private final class Received: Sendable {
        private struct State {
            var text = ""
            var isOver = false
            var waiting: [(isThere: @Sendable (String) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

            mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
                let (text, isOver) = (text, isOver)
                let reached = waiting.filter { isOver || $0.isThere(text) }
                waiting.removeAll { isOver || $0.isThere(text) }
                return reached.map(\.continuation)
            }
        }

        private let state = Mutex(State())

        var text: String { state.withLock { $0.text } }

        func wait(for isThere: @escaping @Sendable (String) -> Bool) async {
            await withCheckedContinuation { continuation in
                change { $0.waiting.append((isThere, continuation)) }
            }
        }

        func add(_ bytes: String) {
            change { if $0.text.utf8.count < 4096 { $0.text += bytes } }
        }

        func end() {
            change { $0.isOver = true }
        }

        private func change(_ change: (inout State) -> Void) {
            let waiting = state.withLock { state in
                change(&state)
                return state.takeWaiting()
            }
            for continuation in waiting { continuation.resume() }
        }

        func makeHandler() -> Handler { Handler(received: self) }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let received: Received

        init(received: Received) {
            self.received = received
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received.add(String(buffer: unwrapInboundIn(data)))
        }

        func channelInactive(context: ChannelHandlerContext) {
            received.end()
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
#endif
