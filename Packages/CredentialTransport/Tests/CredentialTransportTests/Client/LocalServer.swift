#if Client
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization

/// An HTTP server on the loopback interface with a given behavior, which records the requests.
final class LocalServer: Sendable {
    /// The reaction to a request.
    enum Behavior {
        /// Answers; the body comes without an announced length.
        case answer(status: Int, headers: [(String, String)], body: [UInt8])
        /// Sends a body until the connection is closed.
        case endlessBody
        /// Sends status and header and an announced length, but only these bytes, and closes or waits.
        case partialBody([UInt8], announced: Int, closes: Bool)
        /// Takes the request and says nothing.
        case silence
        /// Takes the request and closes.
        case close
        /// Behaves by the request's path; closes for others.
        indirect case byPath([String: Behavior])
    }

    /// A recorded request.
    struct Received: Sendable {
        let method: String
        let uri: String
        let headers: [String: String]
        let body: [UInt8]
    }

    let port: UInt16
    private let channel: any Channel
    private let log: Log

    /// The requests that came.
    var received: [Received] { log.received.withLock { $0 } }
    /// The number of connections that came, and of those that ended.
    var connections: (opened: Int, closed: Int) { log.connections.withLock { $0 } }
    /// The names that clients asked for in TLS.
    var serverNames: [String] { log.names.withLock { $0 } }

    /// The log that the channels share.
    final class Log: Sendable {
        let received = Mutex<[Received]>([])
        let names = Mutex<[String]>([])
        let connections = Mutex((opened: 0, closed: 0))
    }

    /// Listens on a free port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - usesTLS: Indicates whether it speaks TLS with ``certificate``.
    ///   - onRequest: Called when a request is complete, before it is answered.
    ///   - behavior: The answer to every request.
    init(
        usesTLS: Bool = false,
        onRequest: @escaping @Sendable () -> Void = {},
        _ behavior: Behavior
    ) async throws {
        let log = Log()
        let context = usesTLS ? try Self.tlsContext() : nil
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context { try Self.addTLS(to: pipeline, of: channel, context, log) }
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(LocalServerHandler(behavior, log, onRequest))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = UInt16(channel.localAddress?.port ?? 0)
        self.log = log
    }

    /// Stops listening.
    func close() async throws {
        try await channel.close()
    }

    private static func tlsContext() throws -> NIOSSLContext {
        let certificate = try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array(privateKey.utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(certificate)],
                privateKey: .privateKey(key)
            )
        )
    }

    private static func addTLS(
        to pipeline: ChannelPipeline.SynchronousOperations,
        of channel: any Channel,
        _ context: NIOSSLContext,
        _ log: Log
    ) throws {
        let names = SNIHandler { result in
            if case .hostname(let name) = result { log.names.withLock { $0.append(name) } }
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        try pipeline.addHandler(ByteToMessageHandler(names))
        try pipeline.addHandler(NIOSSLServerHandler(context: context))
    }
}
#endif
