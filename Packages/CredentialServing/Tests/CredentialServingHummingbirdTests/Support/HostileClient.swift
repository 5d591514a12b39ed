#if Server
import NIOCore
import NIOPosix
import Synchronization

/// A connection that sends whatever bytes it likes, and drops what it gets.
final class HostileClient: Sendable {
    private let channel: any Channel
    private let received: Received

    private init(channel: any Channel, received: Received) {
        self.channel = channel
        self.received = received
    }

    /// - Parameter closesWithServer: Indicates that the client closes when the server has closed its side.
    static func connect(to port: Int, closesWithServer: Bool = true) async throws -> HostileClient {
        let received = Received()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: !closesWithServer)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(received.makeHandler())
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        return HostileClient(channel: channel, received: received)
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

    /// Waits until at least one byte was received, or the connection is closed.
    func waitForAnswer() async {
        await received.wait()
    }

    private final class Received: Sendable {
        private let state = Mutex<(text: String, isOver: Bool, waiting: [CheckedContinuation<Void, Never>])>(
            ("", false, [])
        )

        var text: String { state.withLock { $0.text } }

        func wait() async {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    guard state.text.isEmpty, !state.isOver else { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isDone { continuation.resume() }
            }
        }

        func add(_ bytes: String) {
            wake { if $0.utf8.count < 4096 { $0 += bytes } }
        }

        func end() {
            wake(isOver: true) { _ in }
        }

        private func wake(isOver: Bool = false, _ change: (inout String) -> Void) {
            let waiting = state.withLock { state in
                change(&state.text)
                state.isOver = state.isOver || isOver
                defer { state.waiting = [] }
                return state.waiting
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
