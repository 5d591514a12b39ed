import Foundation
import NIOCore
import NIOPosix

/// A connection to Redis without a client: bytes to it, and the bytes of its next reply.
struct BareRedis {
    private let channel: any Channel
    private static let script = """
        local o = redis.call('HMGET', KEYS[1], 'n', 'x')
        if o[1] ~= ARGV[1] then return o[1] end
        redis.call('HSET', KEYS[1], 'n', ARGV[1], 'x', o[2], 'v', ARGV[2])
        redis.call('PUBLISH', 'bare', KEYS[1])
        return 0
        """
    private var get = ByteBuffer()
    private var swap = ByteBuffer()

    init(path: String) async throws {
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ReplyHandler())
                }
            }
            .connect(unixDomainSocketPath: path).get()
    }

    /// Stores a value, and keeps the two commands as sent.
    mutating func prepare(value: [UInt8]) async throws {
        _ = try await send(Self.command(["HSET", "bare", "n", "1", "x", "0", "v"].map { Array($0.utf8) } + [value]))
        let load = Self.command(["SCRIPT", "LOAD", Self.script].map { Array($0.utf8) })
        // A bulk string: its length, and the digest of 40 digits.
        let digest = try await send(load).readableBytesView.dropFirst(5).prefix(40)
        get = Self.command(["HMGET", "bare", "n", "x", "v"].map { Array($0.utf8) })
        swap = Self.command([Array("EVALSHA".utf8), Array(digest), [0x31], Array("bare".utf8), [0x31], value])
    }

    func getAndSwap() async throws {
        _ = try await send(get)
        _ = try await send(swap)
    }

    func close() async throws {
        try await channel.close()
    }

    private func send(_ bytes: ByteBuffer) async throws -> ByteBuffer {
        let promise = channel.eventLoop.makePromise(of: ByteBuffer.self)
        channel.writeAndFlush(Request(bytes: bytes, promise: promise), promise: nil)
        return try await promise.futureResult.get()
    }

    private static func command(_ arguments: [[UInt8]]) -> ByteBuffer {
        var buffer = ByteBuffer(string: "*\(arguments.count)\r\n")
        for argument in arguments {
            buffer.writeString("$\(argument.count)\r\n")
            buffer.writeBytes(argument)
            buffer.writeString("\r\n")
        }
        return buffer
    }

    private struct Request: Sendable {
        let bytes: ByteBuffer
        let promise: EventLoopPromise<ByteBuffer>
    }

    /// Takes the next read as the reply: small replies on a local socket come in one piece.
    private final class ReplyHandler: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = Request
        typealias OutboundOut = ByteBuffer

        private var promise: EventLoopPromise<ByteBuffer>?

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let request = unwrapOutboundIn(data)
            self.promise = request.promise
            context.write(wrapOutboundOut(request.bytes), promise: promise)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            promise?.succeed(unwrapInboundIn(data))
            promise = nil
        }

        func channelInactive(context: ChannelHandlerContext) {
            promise?.fail(ChannelError.eof)
            promise = nil
        }
    }

    /// Starts a server behind a socket in a folder, or returns nil if none is installed.
    static func startServer(in folder: URL) throws -> Process? {
        let path = "/usr/bin/redis-server"
        guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = [
            "--port", "0", "--unixsocket", folder.appending(path: "socket").path, "--save", "", "--dir", folder.path,
        ]
        process.standardOutput = output
        try process.run()
        var log = Data()
        while case let piece = output.fileHandleForReading.availableData, !piece.isEmpty {
            log += piece
            if log.range(of: Data("ready to accept connections".utf8)) != nil { return process }
        }
        return nil
    }
}
