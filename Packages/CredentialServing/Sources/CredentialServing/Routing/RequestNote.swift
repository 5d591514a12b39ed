import Synchronization

/// A note on the request that the current task serves, for observers around an engine.
///
/// An observer makes a note, runs the engine with it as ``current``, and reads from it what only the engine learns: the
/// pattern of the route. Engines, and the tasks that they start, can read the request's identifier.
public final class RequestNote: Sendable {
    /// The note of the request that the current task serves; nil outside of observed requests.
    @TaskLocal public static var current: RequestNote?

    /// The identifier that the server gave the request, which is no secret and no value of a client.
    public let identifier: String

    private let pattern = Mutex<String?>(nil)

    /// A note.
    ///
    /// - Parameter identifier: The identifier that the server gave the request.
    public init(identifier: String) {
        self.identifier = identifier
    }

    /// The pattern of the route that was found, such as `/session/{token}`; nil before, and for a path without a route.
    public var routePattern: String? { pattern.withLock { $0 } }

    /// Notes the pattern of the route that was found.
    ///
    /// ``RoutedEngine`` does so by itself.
    ///
    /// - Parameter routePattern: The pattern, which holds no values of a client.
    public func setRoutePattern(_ routePattern: String) {
        pattern.withLock { $0 = routePattern }
    }
}
