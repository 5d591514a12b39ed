import NIOCore
import NIOPosix

/// Requests one after the other over some connections.
enum Load {
    /// Makes a number of requests, and returns their latencies in seconds.
    ///
    /// - Parameter pause: The time between an answer and the next request of its connection.
    static func run(
        port: Int,
        connections: Int,
        requests: Int,
        pause: TimeAmount = .zero
    ) async throws -> [Double] {
        try await withThrowingTaskGroup(of: [Double].self) { group in
            for _ in 0..<connections {
                group.addTask { try await run(port: port, requests: requests / connections, pause: pause) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private static func run(port: Int, requests: Int, pause: TimeAmount) async throws -> [Double] {
        let group = MultiThreadedEventLoopGroup.singleton
        let promise = group.next().makePromise(of: [Double].self)
        let channel = try await ClientBootstrap(group: group)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(LoadHandler(requests, pause, promise))
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        let times = try await promise.futureResult.get()
        try await channel.close()
        return times
    }
}

private final class LoadHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let request = ByteBuffer(string: "GET /empty/42 HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n")

    private let count: Int
    private let pause: TimeAmount
    private let promise: EventLoopPromise<[Double]>
    private let clock = ContinuousClock()
    private var start: ContinuousClock.Instant
    private var times: [Double] = []
    private var received: [UInt8] = []

    init(_ count: Int, _ pause: TimeAmount, _ promise: EventLoopPromise<[Double]>) {
        self.count = count
        self.pause = pause
        self.promise = promise
        start = clock.now
    }

    func channelActive(context: ChannelHandlerContext) {
        send(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytesView
        guard received.suffix(8).elementsEqual("\r\n\r\nfine".utf8) else { return }
        times.append(start.duration(to: clock.now) / .seconds(1))
        received.removeAll(keepingCapacity: true)
        guard times.count < count else { return promise.succeed(times) }
        guard pause > .zero else { return send(context) }
        context.eventLoop.assumeIsolated().scheduleTask(in: pause) { self.send(context) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(ChannelError.eof)
    }

    private func send(_ context: ChannelHandlerContext) {
        start = clock.now
        context.writeAndFlush(wrapOutboundOut(Self.request), promise: nil)
    }
}
