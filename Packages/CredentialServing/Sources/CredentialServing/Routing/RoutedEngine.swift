import HTTPTypes

/// Deadline, limits and policies of a ``RoutedEngine``.
public struct RoutedEngineOptions: Sendable {
    /// The time for a request, from its header to the end of the response, or nil for no limit: 10 seconds by default.
    public var deadline: Duration?
    /// The largest number of bytes in the body of a request: 1 MiB by default.
    public var maximumBodySize: Int
    /// Indicates that a slash at the end of a path makes no difference; by default it does, and the other form is refused
    /// with 404.
    public var ignoresTrailingSlash: Bool
    /// The policy for scripts of other origins; by default none, and browsers keep responses from them.
    public var cors: CORSPolicy?

    /// Sets the options; omitted ones have their defaults.
    public init(
        deadline: Duration? = .seconds(10),
        maximumBodySize: Int = 1 << 20,
        ignoresTrailingSlash: Bool = false,
        cors: CORSPolicy? = nil
    ) {
        self.deadline = deadline
        self.maximumBodySize = maximumBodySize
        self.ignoresTrailingSlash = ignoresTrailingSlash
        self.cors = cors
    }
}

/// An engine made of routes.
///
/// ```swift
/// let engine = try RoutedEngine([
///     .get("/session/{token}/status") { request in
///         .json(try await status(of: request.parameters.text("token")))
///     },
///     .post("/session") { request in
///         .json(try await start(request.body.collect(upTo: 64 * 1024)), status: .created)
///     },
/// ])
/// ```
///
/// * GET routes answer HEAD. OPTIONS is answered with the methods of the path, and with the CORS policy for a preflight.
/// * An unknown path is refused with 404, a method without a route with 405 and `Allow`.
/// * A path with and one without a slash at its end differ; see ``RoutedEngineOptions/ignoresTrailingSlash``.
/// * The time from the first byte of the request to the last of the response is limited, event streams excepted: they have
///   until the deadline to begin. The task of a handler is cancelled then, and the answer goes out when the handler has
///   ended; one that waits for work without an end must react to that.
public struct RoutedEngine: HTTPEngine {
    /// Gives the response for an error, or nil for the default one.
    ///
    /// It sees errors of handlers as they were thrown, and the engine's own refusals as ``ServingError``. `Allow` is added to
    /// its answer for a wrong method.
    public typealias ErrorHook = @Sendable (any Error, ServerRequest) -> ServerResponse?

    private let table: RouteTable
    private let options: RoutedEngineOptions
    private let clock: any Clock<Duration>
    private let timeLimits: [Duration: TimeLimit]
    private let errorResponse: ErrorHook

    /// An engine.
    ///
    /// - Parameters:
    ///   - routes: The routes.
    ///   - options: Deadline, limits and policies for all routes.
    ///   - clock: The clock for deadlines.
    ///   - errorResponse: The response for an error. By default, a ``ServingError`` becomes
    ///     ``ServerResponse/init(refusing:)``, and every other error a 500 without details.
    /// - Throws: ``ServingError/Code/invalidRoute`` for a malformed pattern, and for two routes with one method and one
    ///   path.
    public init(
        _ routes: [ServerRoute],
        options: RoutedEngineOptions = RoutedEngineOptions(),
        clock: any Clock<Duration> = ContinuousClock(),
        errorResponse: @escaping ErrorHook = { _, _ in nil }
    ) throws(ServingError) {
        table = try RouteTable(routes, ignoresTrailingSlash: options.ignoresTrailingSlash)
        self.options = options
        self.clock = clock
        let durations = Set(routes.compactMap { $0.options.deadline ?? options.deadline })
        timeLimits = Dictionary(uniqueKeysWithValues: durations.map { ($0, TimeLimit(of: $0, on: clock)) })
        self.errorResponse = errorResponse
    }

    /// Answers a request by the route for its method and path.
    public func response(to request: ServerRequest) async -> ServerResponse {
        guard let path = request.segments, request.hasValidLength else {
            return refusal(ServingError(.invalidRequest, "the path or the content length is invalid"), request)
        }
        switch request.method {
        case .options:
            return await optionsResponse(to: request, path)
        case .head:
            return await response(to: request, path, methods: [.head, .get]).withoutBody
        default:
            return await response(to: request, path, methods: [request.method])
        }
    }

    /// The response by the first of the methods that the path has a route for.
    private func response(
        to request: ServerRequest,
        _ path: ArraySlice<[UInt8]>,
        methods: [HTTPRequest.Method]
    ) async -> ServerResponse {
        for method in methods {
            guard case .route(let entry, let parameters) = table.match(method, path) else { continue }
            var request = request
            request.parameters = RequestParameters("path", Array(zip(entry.parameterNames, parameters)))
            request.routePattern = entry.route.pattern
            RequestNote.current?.setRoutePattern(entry.route.pattern)
            return await response(to: request, entry.route)
        }
        let allowed = table.methods(at: path)
        guard !allowed.isEmpty else { return refusal(ServingError(.notFound, "no route has the path"), request) }
        var response = refusal(ServingError(.methodNotAllowed, "the path has no such method"), request)
        response.headerFields[.allow] = Self.allow(allowed)
        return response
    }

    private func optionsResponse(to request: ServerRequest, _ path: ArraySlice<[UInt8]>) async -> ServerResponse {
        let methods = table.methods(at: path)
        if let policy = preflightPolicy(for: request, path) {
            return policy.preflight(request, methods: Self.sorted(methods))
        }
        guard !methods.isEmpty, !methods.contains(.options) else {
            return await response(to: request, path, methods: [.options])
        }
        var response = ServerResponse(.noContent, headerFields: [.allow: Self.allow(methods)])
        options.cors?.apply(to: &response, for: request)
        return response
    }

    /// The policy of the route that a preflight request asks for; nil for another request.
    private func preflightPolicy(for request: ServerRequest, _ path: ArraySlice<[UInt8]>) -> CORSPolicy? {
        guard request.isPreflight, let name = request.headerFields[.accessControlRequestMethod] else { return nil }
        for method in [HTTPRequest.Method(name), name == "HEAD" ? .get : nil].compactMap({ $0 }) {
            if case .route(let entry, _) = table.match(method, path) { return entry.route.options.cors ?? options.cors }
        }
        return table.methods(at: path).isEmpty ? nil : options.cors
    }

    private func response(to request: ServerRequest, _ route: ServerRoute) async -> ServerResponse {
        var request = request
        request.body.limit = route.options.maximumBodySize ?? options.maximumBodySize
        let cors = route.options.cors ?? options.cors
        do {
            try request.body.checkAnnouncedLength()
        } catch {
            return refusal(error, request, cors: cors)
        }
        guard let duration = route.options.deadline ?? options.deadline, let timeLimit = timeLimits[duration] else {
            return finished(await Self.outcome(of: route, for: request), request, cors)
        }
        let deadline = Deadline(clock, after: duration)
        let outcome = await timeLimit.run { [request] in await Self.outcome(of: route, for: request) }
        var response = finished(outcome ?? .failure(Self.lateness(of: request)), request, cors)
        if !response.body.outlastsDeadline { response.body = response.body.ending(before: deadline) }
        return response
    }

    private static func outcome(
        of route: ServerRoute,
        for request: ServerRequest
    ) async -> Result<ServerResponse, any Error> {
        do {
            return .success(try await route.handler(request))
        } catch {
            return .failure(error)
        }
    }

    private static func lateness(of request: ServerRequest) -> ServingError {
        request.body.wasInterrupted
            ? ServingError(.requestTimedOut, "the body did not arrive in time")
            : ServingError(.deadlineExceeded, "no answer in time")
    }

    private func finished(
        _ outcome: Result<ServerResponse, any Error>,
        _ request: ServerRequest,
        _ cors: CORSPolicy?
    ) -> ServerResponse {
        switch outcome {
        case .success(var response):
            cors?.apply(to: &response, for: request)
            return response
        case .failure(let error):
            return refusal(error, request, cors: cors)
        }
    }

    private func refusal(_ error: any Error, _ request: ServerRequest) -> ServerResponse {
        refusal(error, request, cors: options.cors)
    }

    private func refusal(_ error: any Error, _ request: ServerRequest, cors: CORSPolicy?) -> ServerResponse {
        let known: ServingError =
            switch error {
            case let error as ServingError: error
            case is CancellationError: ServingError(.cancelled, "the client went away")
            default: ServingError(.internalError, "the request failed")
            }
        var response = errorResponse(error, request) ?? ServerResponse(refusing: known)
        cors?.apply(to: &response, for: request)
        return response
    }

    /// The methods with those that the engine answers by itself.
    private static func sorted(_ methods: Set<HTTPRequest.Method>) -> [HTTPRequest.Method] {
        let implied: Set<HTTPRequest.Method> = methods.contains(.get) ? [.head, .options] : [.options]
        return methods.union(implied).sorted { $0.rawValue < $1.rawValue }
    }

    private static func allow(_ methods: Set<HTTPRequest.Method>) -> String {
        sorted(methods).map(\.rawValue).joined(separator: ", ")
    }
}

extension ServerResponseBody {
    /// The same body, broken off when the time has come.
    fileprivate func ending(before deadline: Deadline) -> ServerResponseBody {
        mapProducer { producer in
            { writer in
                let outcome = await deadline.race { () async -> Result<Void, any Error> in
                    do {
                        return .success(try await producer(writer))
                    } catch {
                        return .failure(error)
                    }
                }
                guard let outcome else {
                    throw ServingError(.deadlineExceeded, "the body was not sent in time", path: ["body"])
                }
                try outcome.get()
            }
        }
    }
}
