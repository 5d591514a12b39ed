import HTTPTypes

extension ServerResponse {
    /// An event stream (WHATWG HTML, section 9.2).
    ///
    /// ```swift
    /// let route = ServerRoute.get("/session/{token}/statusevents") { request in
    ///     let changes = try await statusChanges(of: request.parameters.text("token"))
    ///     return .events(for: request) { stream in
    ///         for await change in changes { try await stream.send(OutgoingEvent(data: change.json)) }
    ///     }
    /// }
    /// ```
    ///
    /// The stream ends when the closure returns, when the client goes away, and when the server stops; in the latter cases,
    /// the closure's task is cancelled. If the closure throws, the connection breaks off, and clients connect again. Proxies are
    /// told to neither keep nor hold back the events.
    ///
    /// - Parameters:
    ///   - request: The request, for the last event ID and the signal to stop.
    ///   - options: The heartbeat and the time before a client connects again.
    ///   - clock: The clock for the heartbeat.
    ///   - produce: Sends the events.
    public static func events(
        for request: ServerRequest,
        options: EventResponseOptions = EventResponseOptions(),
        clock: any Clock<Duration> = ContinuousClock(),
        _ produce: @escaping @Sendable (EventSender) async throws -> Void
    ) -> ServerResponse {
        var response = ServerResponse(.ok)
        response.headerFields[.contentType] = "text/event-stream"
        response.headerFields[.cacheControl] = "no-store"
        response.headerFields[.accelBuffering] = "no"
        let lastEventID = request.lastEventID
        let shutdown = request.shutdown
        response.body = .stream(outlastsDeadline: true) { writer in
            let sender = EventSender(writer, lastEventID: lastEventID)
            if let retry = options.retryField { try await sender.send(retry) }
            try await run(sender, until: shutdown, heartbeat: options.heartbeat, clock, produce)
        }
        return response
    }

    private enum End {
        case ended
        case failed(any Error)
        /// The task was cancelled because of another's end.
        case cancelled
    }

    private static func run(
        _ sender: EventSender,
        until shutdown: ShutdownSignal,
        heartbeat: Duration?,
        _ clock: any Clock<Duration>,
        _ produce: @escaping @Sendable (EventSender) async throws -> Void
    ) async throws {
        let failure = await withTaskGroup(of: End.self) { group -> (any Error)? in
            group.addTask { await end(of: produce, sender) }
            group.addTask {
                await shutdown.wait()
                return shutdown.isGiven ? .ended : .cancelled
            }
            if let heartbeat { group.addTask { await beat(sender, every: heartbeat, clock) } }
            var first: End?
            while let end = await group.next() {
                if case .cancelled = end { continue }
                if first == nil { first = end }
                group.cancelAll()
            }
            guard case .failed(let error)? = first else { return nil }
            return error
        }
        if let failure { throw failure }
        try Task.checkCancellation()
    }

    private static func end(
        of produce: @Sendable (EventSender) async throws -> Void,
        _ sender: EventSender
    ) async -> End {
        do {
            try await produce(sender)
            return .ended
        } catch {
            return .failed(error)
        }
    }

    private static func beat(_ sender: EventSender, every interval: Duration, _ clock: any Clock<Duration>) async -> End
    {
        while true {
            do {
                try await pause(for: interval, on: clock)
            } catch {
                return .cancelled
            }
            do {
                try await sender.beat()
            } catch {
                return .failed(error)
            }
        }
    }
}
