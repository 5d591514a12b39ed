/// A server without sockets: a value that answers requests.
///
/// Engines know nothing of connections. A driver runs them: ``InMemoryServer`` within a process, the module
/// CredentialServingHummingbird over the network. An engine may be called by many tasks at the same time; its state is in
/// stores that it is made with.
///
/// The task that calls an engine is cancelled when its client goes away. The response of a cancelled request is dropped.
public protocol HTTPEngine: Sendable {
    /// Answers a request.
    ///
    /// A refusal is a response as well: engines do not throw.
    func response(to request: ServerRequest) async -> ServerResponse
}

/// Engines below paths of one server.
///
/// ```swift
/// let server = try MountedEngines(["/irma": irma, "/openid4vp": verifier])
/// ```
///
/// An engine sees the rest of the path: `/irma/session` is its `/session`, and `/irma/` its `/`. The path `/irma` without a
/// slash belongs to it and has no route. The longest path that fits is taken; where none fits, the answer is 404.
public struct MountedEngines: HTTPEngine {
    private struct Mount: Sendable {
        let path: [[UInt8]]
        let engine: any HTTPEngine
    }

    private let mounts: [Mount]

    /// Mounts engines.
    ///
    /// - Parameter engines: The engines by their paths, such as `/irma`, or `/` for the whole of the server.
    /// - Throws: ``ServingError/Code/invalidRoute`` for a malformed path, and for two engines with one path.
    public init(_ engines: KeyValuePairs<String, any HTTPEngine>) throws(ServingError) {
        var mounts: [Mount] = []
        for (text, engine) in engines {
            guard var path = RequestTarget(text.utf8.first == UInt8(ascii: "/") ? text : "/" + text).segments else {
                throw ServingError(.invalidRoute, "no path", path: [text])
            }
            if path.last?.isEmpty == true { path.removeLast() }
            guard !mounts.contains(where: { $0.path == path }) else {
                throw ServingError(.invalidRoute, "two engines with one path", path: [text])
            }
            mounts.append(Mount(path: path, engine: engine))
        }
        self.mounts = mounts.sorted { $0.path.count > $1.path.count }
    }

    /// Answers a request by the engine that is mounted where its path leads.
    public func response(to request: ServerRequest) async -> ServerResponse {
        guard let path = request.segments else {
            return ServerResponse(refusing: ServingError(.invalidRequest, "the path is invalid"))
        }
        guard let mount = mounts.first(where: { path.starts(with: $0.path) }) else {
            return ServerResponse(refusing: ServingError(.notFound, "no engine has the path"))
        }
        var request = request
        request.mountDepth += mount.path.count
        return await mount.engine.response(to: request)
    }
}
