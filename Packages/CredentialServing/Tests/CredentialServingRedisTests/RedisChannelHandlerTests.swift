#if Redis
import CredentialServing
import CredentialServingRedis
import NIOCore
import NIOEmbedded
import Testing

/// Late replies, on a loop whose time stands still.
@Suite struct RedisChannelHandlerTests {
    private let channel: EmbeddedChannel

    init() throws {
        let configuration = RedisSessionConfiguration(
            server: .address(RedisAddress(host: "localhost", port: 6379)),
            commandTimeout: .seconds(2)
        )
        channel = EmbeddedChannel(handler: try RedisChannelHandler(configuration: configuration))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 6379)).wait()
    }

    private func send(isChange: Bool = false) -> EventLoopFuture<RedisReply> {
        let promise = channel.eventLoop.makePromise(of: RedisReply.self)
        let request = RedisRequest(bytes: ByteBuffer(string: "x"), promise: promise, isChange: isChange)
        channel.writeAndFlush(request, promise: nil)
        return promise.futureResult
    }

    private func error(of reply: EventLoopFuture<RedisReply>) -> SessionStoreError.Code? {
        do {
            _ = try reply.wait()
            return nil
        } catch {
            return (error as? SessionStoreError)?.code
        }
    }

    /// The process may have had no processor since the reply came.
    @Test func replyThatIsUnreadWhenTheTimeIsUpIsTaken() throws {
        let reply = send(isChange: true)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        try channel.writeInbound(ByteBuffer(string: "+OK\r\n"))
        #expect(error(of: reply) == nil)
        // The next command has the whole time.
        let next = send()
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2100))
        try channel.writeInbound(ByteBuffer(string: "+OK\r\n"))
        #expect(error(of: next) == nil)
        #expect(channel.isActive)
    }

    @Test(arguments: [(true, SessionStoreError.Code.outcomeUnknown), (false, .unavailable)])
    func commandWithoutReplyFails(isChange: Bool, code: SessionStoreError.Code) throws {
        let reply = send(isChange: isChange)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2200))
        #expect(error(of: reply) == code)
        #expect(!channel.isActive)
    }
}
#endif
