#if Client
import NIOCore
import NIOPosix
import Synchronization

/// A proxy on the loopback interface, which records the heads of requests, and tunnels each to one local port or refuses it.
final class LocalProxy: Sendable {
    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// The heads of all requests.
    private final class Log: Sendable {
        let heads = Mutex<[String]>([])
    }

    let port: UInt16
    private let log: Log
    private let task: Task<Void, any Error>

    var heads: [String] { log.heads.withLock { $0 } }

    /// Listens on a free port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - target: The local port that all tunnels lead to; with nil, requests are refused.
    ///   - status: The status line of a refusal.
    init(to target: UInt16?, refusingWith status: String = "403 Forbidden") async throws {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
            }
        let log = Log()
        self.log = log
        port = UInt16(server.channel.localAddress?.port ?? 0)
        task = Task {
            try await server.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await connection in connections {
                        group.addTask { try? await Self.serve(connection, target, status, log) }
                    }
                }
            }
        }
    }

    /// Stops listening, and breaks all tunnels off.
    func close() { task.cancel() }

    private static func serve(
        _ connection: Connection,
        _ target: UInt16?,
        _ status: String,
        _ log: Log
    ) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var pieces = inbound.makeAsyncIterator()
            var head = ""
            while !head.hasSuffix("\r\n\r\n") {
                guard let piece = try await pieces.next() else { return }
                head += String(buffer: piece)
            }
            log.heads.withLock { $0.append(head) }
            guard let target else {
                return try await outbound.write(ByteBuffer(string: "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n"))
            }
            let host = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: Int(target)) { channel in
                    channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
                }
            try await outbound.write(ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n"))
            try await host.executeThenClose { answers, requests in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { for try await piece in answers { try await outbound.write(piece) } }
                    while let piece = try await pieces.next() { try await requests.write(piece) }
                    group.cancelAll()
                }
            }
        }
    }
}
#endif
