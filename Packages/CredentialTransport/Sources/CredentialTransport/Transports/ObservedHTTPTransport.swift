/// A transport that tells an observer each of its requests: that an answer came, or why it was refused.
///
/// It changes neither requests nor answers.
public struct ObservedHTTPTransport: HTTPStreamingTransport {
    private let transport: any HTTPStreamingTransport
    private let observer: TransportObserver
    private let clock: any Clock<Duration>

    /// Observes a transport.
    ///
    /// - Parameters:
    ///   - transport: The transport that carries the requests.
    ///   - observer: The observer.
    ///   - clock: The clock for durations.
    public init(
        _ transport: any HTTPStreamingTransport,
        observer: TransportObserver,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.transport = transport
        self.observer = observer
        self.clock = clock
    }

    /// The answer to a request.
    public func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        let stopwatch = Stopwatch(clock)
        do throws(TransportError) {
            let response = try await transport.response(to: request)
            observer.notify(
                TransportEvent(
                    .fetched,
                    of: request.url.withoutQuery,
                    status: response.status,
                    size: response.body.count,
                    duration: stopwatch.duration()
                )
            )
            return response
        } catch {
            observer.notify(refusal(error, of: request, after: stopwatch.duration()))
            throw error
        }
    }

    /// Refuses a URL that the observed transport refuses; the observer is not told.
    public func requireAllowed(_ url: HTTPURL) throws(TransportError) { try transport.requireAllowed(url) }

    /// The answer to a request, as soon as its header has come; its body is not observed.
    public func stream(for request: HTTPTransportRequest) async throws(TransportError) -> HTTPResponseStream {
        let stopwatch = Stopwatch(clock)
        do throws(TransportError) {
            let stream = try await transport.stream(for: request)
            observer.notify(TransportEvent(.fetched, of: request.url.withoutQuery, duration: stopwatch.duration()))
            return stream
        } catch {
            observer.notify(refusal(error, of: request, after: stopwatch.duration()))
            throw error
        }
    }

    /// An observed transport that keeps its connection to the host of a URL.
    public func keepingConnection(to url: HTTPURL) -> any HTTPStreamingTransport {
        ObservedHTTPTransport(transport.keepingConnection(to: url), observer: observer, clock: clock)
    }

    /// Closes the connections that the transport keeps.
    public func close() async {
        await transport.close()
    }

    private func refusal(
        _ error: TransportError,
        of request: HTTPTransportRequest,
        after duration: Duration
    ) -> TransportEvent {
        TransportEvent(
            .refused,
            of: request.url.withoutQuery,
            status: error.status,
            duration: duration,
            reason: "\(error.code): \(error.message)"
        )
    }
}

extension HTTPURL {
    /// Scheme, host, port and path: a query can hold secrets.
    fileprivate var withoutQuery: String {
        query == nil ? description : String(description.prefix { $0 != "?" })
    }
}

/// The time since a moment on any clock.
private struct Stopwatch: Sendable {
    let duration: @Sendable () -> Duration

    init(_ clock: any Clock<Duration>) {
        duration = Self.started(on: clock)
    }

    private static func started<C: Clock<Duration>>(on clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
