#if Server
import CoreMetrics
import CredentialServing
import HTTPTypes
import Logging
import Synchronization
import Tracing

/// The observation of one request, from its header to the last byte of its response.
final class RequestObservation: Sendable {
    private let observer: RequestObserver
    private let note: RequestNote
    private let method: String
    private let remote: String?
    private let duration: @Sendable () -> Duration
    private let span: any Span
    private let status = Mutex<HTTPResponse.Status?>(nil)
    private let hasEnded = Mutex(false)

    /// Begins an observation.
    init(_ observer: RequestObserver, _ request: ServerRequest, _ note: RequestNote) {
        self.observer = observer
        self.note = note
        method = Self.known(request.method)
        remote = request.remoteAddress.map { "\($0)" }
        duration = Self.stopwatch(observer.clock)
        let tracer = observer.tracer ?? InstrumentationSystem.tracer
        var context = ServiceContext.current ?? .topLevel
        tracer.extract(request.headerFields, into: &context, using: FieldExtractor())
        span = tracer.startAnySpan(method, context: context, ofKind: .server)
        observer.active.increment()
    }

    deinit {
        end(isBroken: true)
    }

    /// Runs a part of the request with its note and its span.
    func run<Value, Failure: Error>(
        _ operation: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // The task-local functions rethrow without the error's type.
        let result = await RequestNote.$current.withValue(note) {
            await ServiceContext.withValue(span.context) { () async -> Result<Value, Failure> in
                do throws(Failure) {
                    return .success(try await operation())
                } catch {
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }

    /// Takes the status of the response.
    func answered(_ status: HTTPResponse.Status) {
        self.status.withLock { $0 = status }
    }

    /// Ends the observation; once counts.
    ///
    /// - Parameter isBroken: Indicates that the response broke off, or was dropped.
    func end(isBroken: Bool) {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        guard isFirst else { return }
        let route = note.routePattern ?? "none"
        let status = status.withLock { $0 }
        let duration = duration()
        record(route, status, duration, isBroken: isBroken)
        finishSpan(route, status, isBroken: isBroken)
        log(route, status, duration, isBroken: isBroken)
    }

    private func record(_ route: String, _ status: HTTPResponse.Status?, _ duration: Duration, isBroken: Bool) {
        let dimensions = [
            ("server", observer.server), ("method", method), ("route", route), ("status", Self.statusClass(status)),
        ]
        observer.active.decrement()
        Counter(label: RequestObserver.countMetric, dimensions: dimensions, factory: observer.metrics).increment()
        Timer(label: RequestObserver.durationMetric, dimensions: dimensions, factory: observer.metrics)
            .recordNanoseconds(Int64(clamping: Int128(duration / .nanoseconds(1))))
        guard isBroken else { return }
        let labels = [("server", observer.server), ("route", route)]
        Counter(label: RequestObserver.brokenMetric, dimensions: labels, factory: observer.metrics).increment()
    }

    private func finishSpan(_ route: String, _ status: HTTPResponse.Status?, isBroken: Bool) {
        span.operationName = "\(method) \(route)"
        span.updateAttributes { attributes in
            attributes["server"] = observer.server
            attributes["http.request.method"] = method
            attributes["http.route"] = route
            attributes["request.id"] = note.identifier
            if let status { attributes["http.response.status_code"] = status.code }
        }
        if isBroken || status.map({ $0.code >= 500 }) ?? true { span.setStatus(SpanStatus(code: .error)) }
        span.end()
    }

    private func log(_ route: String, _ status: HTTPResponse.Status?, _ duration: Duration, isBroken: Bool) {
        guard let logger = observer.logger else { return }
        var metadata: Logger.Metadata = [
            "request.id": "\(note.identifier)", "method": "\(method)", "route": "\(route)", "duration": "\(duration)",
        ]
        metadata["status"] = status.map { "\($0.code)" }
        metadata["remote"] = remote.map { "\($0)" }
        let level = status == .internalServerError ? observer.failureLevel : observer.level
        logger.log(level: level, isBroken ? "response broke off" : "request answered", metadata: metadata)
    }

    /// The method, or `other` for one that a client made up: its name would be a label without bound.
    private static func known(_ method: HTTPRequest.Method) -> String {
        let known: [HTTPRequest.Method] = [.get, .head, .post, .put, .delete, .options, .patch, .connect, .trace]
        return known.contains(method) ? method.rawValue : "other"
    }

    private static func statusClass(_ status: HTTPResponse.Status?) -> String {
        guard let status, (100...599).contains(status.code) else { return "none" }
        return "\(status.code / 100)xx"
    }

    /// The time since now on a clock.
    private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}

/// Reads the fields of a trace, such as `traceparent`, for a tracer.
private struct FieldExtractor: Extractor {
    func extract(key: String, from fields: HTTPFields) -> String? {
        guard let name = HTTPField.Name(key), let value = fields[name], value.utf8.count <= 512 else { return nil }
        return value
    }
}
#endif
