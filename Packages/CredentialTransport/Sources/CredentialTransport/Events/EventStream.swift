public import HTTPTypes

/// The events of a server, over as many connections as it takes (WHATWG HTML, section 9.2.3).
///
/// ```swift
/// let events = try EventStream(at: url, over: transport)
/// for try await event in events where event.type == "message" { show(event.data) }
/// ```
///
/// A connection that ends, breaks off or falls silent is followed by another after the server's `retry` time, with the last
/// event ID, which lasts until the server sets another. Status 204 ends the stream. An answer that is no event stream with
/// status 200 is an error, and so is whatever the guard or a limit of size refuses. Unlike in a browser, status 429, 502,
/// 503 and 504 count as failed connections, so that a stream outlasts the restart of the server behind a proxy; their
/// `Retry-After` prolongs the wait.
///
/// Each connection is a request of its own, with all limits of the request. The stream is read by one task; it ends when that
/// is cancelled.
public struct EventStream: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// The error that ends the stream.
    public typealias Failure = TransportError

    private let request: HTTPTransportRequest
    private let lastEventID: String
    private let transport: any HTTPStreamingTransport
    private let options: EventStreamOptions
    private let clock: any Clock<Duration>

    /// The events at a URL; nothing is requested before the first is asked for.
    ///
    /// - Parameters:
    ///   - url: The URL of the event stream.
    ///   - fields: Fields of the header, such as `Authorization`; a redirect to another origin gets none of them.
    ///   - lastEventID: The last event ID of an earlier stream, or empty.
    ///   - transport: Sends the requests.
    ///   - limits: The limits of one connection.
    ///   - options: The options for connections and their repetition.
    ///   - clock: The clock for the time between connections.
    /// - Throws: ``TransportError/Code/fieldNotAllowed``.
    public init(
        at url: HTTPURL,
        fields: HTTPFields = [:],
        lastEventID: String = "",
        over transport: any HTTPStreamingTransport,
        limits: HTTPLimits = .eventStream,
        options: EventStreamOptions = .default,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(TransportError) {
        var request = HTTPTransportRequest.get(
            url,
            accepting: [.eventStream],
            statuses: [200, 204],
            limits: limits
        )
        try request.setField(.cacheControl, "no-store")
        for field in fields { try request.setField(field.name, field.value) }
        self.request = request
        self.lastEventID = lastEventID
        self.transport = transport
        self.options = options
        self.clock = clock
    }

    /// An iterator with connections of its own.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            request: request,
            transport: transport,
            options: options,
            clock: clock,
            parser: ServerSentEventParser(lastEventID: lastEventID, limits: options.limits),
            retryDelay: options.retryDelay
        )
    }

    /// Reads the events.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let request: HTTPTransportRequest
        fileprivate let transport: any HTTPStreamingTransport
        fileprivate let options: EventStreamOptions
        fileprivate let clock: any Clock<Duration>
        fileprivate var parser: ServerSentEventParser
        fileprivate var retryDelay: Duration
        fileprivate var connection: HTTPResponseStream.AsyncIterator?
        /// Events that came with the last bytes, the next one last.
        fileprivate var events: [ServerSentEvent] = []
        /// The refusal of the bytes after ``events``.
        fileprivate var refusal: TransportError?
        fileprivate var failures = 0
        /// The time that the last answer asked for.
        fileprivate var retryAfter = Duration.zero
        fileprivate var isFirst = true
        fileprivate var isOver = false

        /// The next event, or nil when the server has ended the stream with status 204.
        ///
        /// - Throws: A ``TransportError``, after which there are no more events: the URL may not be contacted, the
        ///   answer is not an event stream, a limit of size is broken, an event ID cannot be sent back, the task is
        ///   cancelled, or too many connections in a row failed.
        public mutating func next() async throws(TransportError) -> ServerSentEvent? {
            try await nextEvent()
        }

        /// The next event, or nil when the server has ended the stream with status 204.
        ///
        /// - Throws: As ``next()``.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> ServerSentEvent? {
            try await nextEvent()
        }

        private mutating func nextEvent() async throws(TransportError) -> ServerSentEvent? {
            do throws(TransportError) {
                while !isOver {
                    if let event = events.popLast() { return event }
                    if let refusal { throw refusal }
                    try await advance()
                }
                return nil
            } catch {
                end()
                throw error
            }
        }

        /// Reads the next bytes, or connects; a failure of the network is left to the next connection.
        private mutating func advance() async throws(TransportError) {
            do throws(TransportError) {
                guard var connection else { return try await connect() }
                guard let piece = try await connection.next() else { return disconnect() }
                self.connection = connection
                take(piece)
            } catch {
                guard Self.isPassing(error) else { throw error }
                if connection == nil {
                    retryAfter = error.retryAfter ?? .zero
                    failures += 1
                    guard failures < options.maximumFailures else { throw error }
                }
                disconnect()
            }
        }

        private mutating func connect() async throws(TransportError) {
            try await waitBeforeConnection()
            var request = request
            let lastEventID = ASCII.trimmed(parser.lastEventID.utf8)
            if let name = Self.lastEventIDField, !lastEventID.isEmpty {
                try request.setField(name, String(decoding: lastEventID, as: UTF8.self))
            }
            let stream = try await transport.stream(for: request, followingRedirects: options.redirects)
            guard stream.status == 200 else { return end() }
            (failures, retryAfter) = (0, .zero)
            connection = stream.makeAsyncIterator()
        }

        private mutating func waitBeforeConnection() async throws(TransportError) {
            guard !isFirst else {
                isFirst = false
                return
            }
            do {
                try await clock.sleep(
                    for: options.wait(retryDelay, after: failures, atLeast: retryAfter).boundedForTimers
                )
            } catch {
                throw TransportError(.cancelled, "the task was cancelled", path: [request.url.description])
            }
        }

        private mutating func take(_ piece: [UInt8]) {
            var parts: [ServerSentPart] = []
            do throws(TransportError) {
                try parser.receive(piece, into: &parts)
            } catch {
                refusal = error
            }
            for part in parts.reversed() {
                if case .event(let event) = part { events.append(event) }
            }
            for case .retry(let delay) in parts { retryDelay = delay }
        }

        /// Leaves the connection, and discards the beginning of an incomplete event.
        private mutating func disconnect() {
            connection = nil
            parser = ServerSentEventParser(lastEventID: parser.lastEventID, limits: options.limits)
        }

        private mutating func end() {
            (isOver, connection, events) = (true, nil, [])
        }

        /// WHATWG HTML, section 9.2.4.
        private static let lastEventIDField = HTTPField.Name("Last-Event-ID")

        /// Returns `true` for a failure after which another connection may be better.
        private static func isPassing(_ error: TransportError) -> Bool {
            if error.code == .unexpectedStatus, let status = error.status { return busy.contains(status) }
            return passing.contains(error.code)
        }

        /// The statuses of a server, or a proxy before it, that is not ready at present.
        private static let busy: Set<Int> = [429, 502, 503, 504]

        private static let passing: Set<TransportError.Code> = [
            .resolutionFailed, .resolverBusy, .connectionFailed, .exchangeFailed, .timedOut, .incompleteBody,
        ]
    }
}
