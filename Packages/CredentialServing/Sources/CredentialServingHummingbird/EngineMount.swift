#if Server
public import CredentialServing
import CredentialTransport
import HTTPTypes
public import Hummingbird
import HummingbirdCore
public import NIOCore
import ServiceLifecycle

/// An engine for a router of Hummingbird.
///
/// ```swift
/// let mount = try EngineMount(engine, at: "/irma")
/// let router = Router(context: EngineRequestContext.self)
/// router.add(mount)
/// let app = Application(
///     router: router,
///     server: .http1(configuration: HTTP1Channel.Configuration(additionalChannelHandlers: mount.channelHandlers()))
/// )
/// ```
///
/// The address of the client and the channel come from a context that conforms to ``ChannelRequestContext``; with another
/// context, `ServerRequest.peer` is nil. Requests are cancelled when their client goes away where the server has the mount's
/// ``channelHandlers()``; elsewhere this is noticed when a response is written. Event streams end when the app's service group
/// shuts down gracefully.
public struct EngineMount: Sendable {
    let path: RouterPath
    let responder: EngineResponder

    /// An engine below a path.
    ///
    /// - Parameters:
    ///   - engine: Answers the requests.
    ///   - path: The path without parameters, such as `/irma`.
    ///   - limits: The limits for connections; those that concern a listener are the app's own.
    /// - Throws: `ServingError` with code `invalidRoute` for a malformed path.
    public init(
        _ engine: any HTTPEngine,
        at path: String,
        limits: ConnectionLimits = ConnectionLimits()
    ) throws(ServingError) {
        let trimmed = String(path.drop { $0 == "/" }.reversed().drop { $0 == "/" }.reversed())
        guard !trimmed.contains(where: { "{}*:%".contains($0) }) else {
            throw ServingError(.invalidRoute, "the path of a mount has no parameters", path: [path])
        }
        self.path = RouterPath(stringLiteral: "/" + trimmed)
        responder = EngineResponder(
            engine: try MountedEngines([path: engine]),
            watch: ConnectionWatch(),
            shutdown: ShutdownSignal(),
            limits: limits
        )
    }

    /// The handlers by which connections tell of clients that go away, and which hold HTTP/1 to the rules of
    /// ``HummingbirdServer`` for all routes of the app.
    public func channelHandlers() -> [any RemovableChannelHandler] {
        [HTTP1Rules(), responder.watch.makeHandler()]
    }

    func response<Context: RequestContext>(to request: Request, context: Context) async -> Response {
        let channel = (context as? any ChannelRequestContext)?.channel
        return await withGracefulShutdownHandler {
            await responder.response(to: request, on: channel)
        } onGracefulShutdown: {
            responder.shutdown.give()
        }
    }
}

extension RouterMethods {
    /// Adds an engine below its path, for every method.
    public func add(_ mount: EngineMount) {
        for method in [HTTPRequest.Method.get, .head, .post, .put, .delete, .patch, .options] {
            on(mount.path, method: method) { await mount.response(to: $0, context: $1) }
            on("\(mount.path)/**", method: method) { await mount.response(to: $0, context: $1) }
        }
    }
}

/// A context of requests that knows the channel.
public protocol ChannelRequestContext: RequestContext {
    /// The channel of the request.
    var channel: (any Channel)? { get }
}

/// A context of requests with the channel, for routers that need nothing else.
public struct EngineRequestContext: ChannelRequestContext {
    /// The parts that every context has.
    public var coreContext: CoreRequestContextStorage
    /// The channel of the request.
    public let channel: (any Channel)?

    /// A context for a request of an app.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
#endif
