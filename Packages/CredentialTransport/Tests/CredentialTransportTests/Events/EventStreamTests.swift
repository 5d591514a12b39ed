import CredentialTransport
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Events over several connections (WHATWG HTML, section 9.2.3).
@Suite struct EventStreamTests {
    /// The outcome of one connection.
    private typealias Connection = Result<InMemoryHTTPAnswer, TransportError>

    private static let url = "https://a.example/statusevents"

    /// Answers each connection as the next of its script says, and then with status 204.
    private final class Server: Sendable {
        let transport: InMemoryHTTPTransport

        init(clock: any Clock<Duration> = GatedClock(), _ connections: [Connection]) {
            let next = Mutex(0)
            transport = InMemoryHTTPTransport(clock: clock) { _ throws(TransportError) in
                let index = next.withLock { index in
                    defer { index += 1 }
                    return index
                }
                return index < connections.count ? try connections[index].get() : InMemoryHTTPAnswer(status: 204)
            }
        }

        /// The values of `Last-Event-ID`, one a connection.
        var lastEventIDs: [String?] {
            transport.requests.map { request in HTTPField.Name("Last-Event-ID").flatMap { request.headerFields[$0] } }
        }
    }

    private static func sending(_ text: String) -> Connection {
        .success(.ok(Array(text.utf8), type: .eventStream))
    }

    private static func failing(_ code: TransportError.Code) -> Connection {
        .failure(TransportError(code, "no answer"))
    }

    private func stream(
        _ server: Server,
        fields: HTTPFields = [:],
        lastEventID: String = "",
        limits: HTTPLimits = .eventStream,
        options: EventStreamOptions = .default,
        clock: any Clock<Duration> = InstantClock()
    ) throws -> EventStream {
        try EventStream(
            at: HTTPURL(Self.url),
            fields: fields,
            lastEventID: lastEventID,
            over: server.transport,
            limits: limits,
            options: options,
            clock: clock
        )
    }

    private func data(_ stream: EventStream) async throws -> [String] {
        var found: [String] = []
        for try await event in stream { found.append(event.data) }
        return found
    }

    @Test func asksForAnEventStream() async throws {
        let server = Server([Self.sending("data: 1\n\ndata: 2\n\n")])
        #expect(try await data(stream(server, fields: [.authorization: "Bearer x"])) == ["1", "2"])
        let request = try #require(server.transport.requests.first)
        #expect(request.method == .get)
        #expect(request.headerFields[.accept] == "text/event-stream")
        #expect(request.headerFields[.cacheControl] == "no-store")
        #expect(request.headerFields[.authorization] == "Bearer x")
        #expect(server.lastEventIDs == [nil, nil])
    }

    @Test func connectsAgainWithTheLastEventID() async throws {
        let server = Server([
            Self.sending("id: 1\ndata: a\n\nid: 2\ndata: cut off"), Self.sending("data: b\n\n"),
            Self.sending("id: \u{e9} \ndata: c\n\n"), Self.sending("id\ndata: d\n\n"),
        ])
        let clock = InstantClock()
        #expect(try await data(stream(server, lastEventID: "0", clock: clock)) == ["a", "b", "c", "d"])
        #expect(server.lastEventIDs == ["0", "1", "1", "\u{e9}", nil])
        #expect(clock.durations == Array(repeating: .seconds(3), count: 4))
    }

    @Test func waitsAsLongAsTheServerSays() async throws {
        let server = Server([
            Self.sending("retry: 1000\n\n"), Self.sending("retry: 0\n"), Self.sending("retry: 999999\n"),
            Self.sending("retry: 5000\nretry: x\n"), Self.sending("retry: \(String(repeating: "9", count: 40))\n"),
        ])
        let clock = InstantClock()
        #expect(try await data(stream(server, clock: clock)) == [])
        #expect(clock.durations == [.seconds(1), .milliseconds(500), .seconds(60), .seconds(5), .seconds(60)])
    }

    @Test func waitsLongerAfterEachFailure() async throws {
        let server = Server([
            Self.failing(.connectionFailed), Self.failing(.resolutionFailed), Self.failing(.timedOut),
            Self.failing(.exchangeFailed), Self.sending("data: 1\n\n"), Self.failing(.resolverBusy),
        ])
        let clock = InstantClock()
        let options = EventStreamOptions(maximumRetryDelay: .seconds(20), maximumFailures: 5)
        #expect(try await data(stream(server, options: options, clock: clock)) == ["1"])
        #expect(clock.durations == [6, 12, 20, 20, 3, 6].map { .seconds($0) })
    }

    private static func refusing(_ status: Int, retryAfter: String? = nil) -> Connection {
        let fields: HTTPFields = retryAfter.map { [.retryAfter: $0] } ?? [:]
        return .success(InMemoryHTTPAnswer(status: status, headerFields: fields))
    }

    /// A proxy whose server starts anew.
    @Test func outlastsAServerThatIsNotReady() async throws {
        let server = Server([
            Self.refusing(502), Self.refusing(503, retryAfter: "10"), Self.refusing(429, retryAfter: "999999"),
            Self.refusing(504), Self.sending("data: 1\n\n"), Self.failing(.connectionFailed),
        ])
        let clock = InstantClock()
        let options = EventStreamOptions(retryDelay: .seconds(1))
        #expect(try await data(stream(server, options: options, clock: clock)) == ["1"])
        #expect(clock.durations == [2, 10, 60, 16, 1, 2].map { .seconds($0) })
    }

    @Test func givesUpWhereAServerIsNeverReady() async throws {
        let server = Server(Array(repeating: Self.refusing(503), count: 8))
        let error = await refusal(.unexpectedStatus) { try await data(stream(server)) }
        #expect(error?.status == 503)
        #expect(server.transport.requests.count == 8)
    }

    @Test func givesUpAfterTooManyFailures() async throws {
        for count in [1, 8] {
            let server = Server(Array(repeating: Self.failing(.connectionFailed), count: count))
            let options = EventStreamOptions(maximumFailures: count)
            await refusal(.connectionFailed) { try await data(stream(server, options: options)) }
            #expect(server.transport.requests.count == count)
            let patient = Server(Array(repeating: Self.failing(.connectionFailed), count: count))
            #expect(try await data(stream(patient, options: EventStreamOptions(maximumFailures: count + 1))) == [])
        }
    }

    @Test func connectsAgainWhenTheServerBreaksOff() async throws {
        let breaking: Connection = .success(
            .streaming(type: .eventStream) { write throws(TransportError) in
                try await write(Array("id: 1\ndata: a\n\ndata: b".utf8))
                throw TransportError(.exchangeFailed, "the exchange broke off")
            }
        )
        let server = Server([breaking, Self.sending("data: c\n\n")])
        #expect(try await data(stream(server)) == ["a", "c"])
        #expect(server.lastEventIDs == [nil, "1", "1"])
    }

    @Test func connectsAgainAfterASilence() async throws {
        let clock = ManualClock()
        let silent: Connection = .success(
            .streaming(type: .eventStream) { write throws(TransportError) in
                try await write(Array("data: a\n\n".utf8))
                await hang()
            }
        )
        let server = Server(clock: clock, [silent, Self.sending("data: b\n\n")])
        let limits = HTTPLimits(maximumBodySize: 1000, timeout: .seconds(100), maximumSilence: .seconds(10))
        let stream = try stream(server, limits: limits)
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next()?.data == "a")
        let task = Task { [iterator] in
            var iterator = iterator
            return try await iterator.next()?.data
        }
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(10))
        #expect(try await task.value == "b")
        #expect(server.transport.requests.count == 2)
    }

    @Test func status204EndsTheStream() async throws {
        let server = Server([])
        var iterator = try stream(server).makeAsyncIterator()
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(server.transport.requests.count == 1)
    }

    @Test func everyOtherAnswerIsAnError() async throws {
        let answers: [(InMemoryHTTPAnswer, TransportError.Code)] = [
            (.ok([], type: .json), .contentTypeNotAccepted), (InMemoryHTTPAnswer(status: 200), .contentTypeNotAccepted),
            (InMemoryHTTPAnswer(status: 404), .unexpectedStatus), (InMemoryHTTPAnswer(status: 500), .unexpectedStatus),
            (.redirect(to: "/2"), .redirected),
        ]
        for (answer, code) in answers {
            let server = Server([.success(answer)])
            await refusal(code) { try await data(stream(server)) }
            #expect(server.transport.requests.count == 1)
        }
    }

    @Test func aRedirectToAForbiddenAddressIsAnError() async throws {
        for (target, code) in [
            ("https://127.0.0.1/", TransportError.Code.literalAddressNotAllowed),
            ("http://a.example/", .schemeNotAllowed), ("https://a.example:22/", .portNotAllowed),
        ] {
            let server = Server([Self.sending("data: 1\n\n"), .success(.redirect(to: target))])
            let stream = try stream(server, options: EventStreamOptions(redirects: 3))
            var iterator = stream.makeAsyncIterator()
            #expect(try await iterator.next()?.data == "1")
            await refusal(code) { [iterator] in
                var iterator = iterator
                return try await iterator.next()
            }
            #expect(server.transport.requests.count == 2)
        }
    }

    @Test func anEventOverTheLimitIsAnError() async throws {
        let server = Server([Self.sending("data: 1\n\ndata: 12345\n\n")])
        let options = EventStreamOptions(limits: ServerSentEventLimits(eventSize: 4))
        await refusal(.eventTooLarge) { try await data(stream(server, options: options)) }
        #expect(server.transport.requests.count == 1)
    }

    @Test func eventsBeforeOneOverTheLimitAreNotLost() async throws {
        let server = Server([Self.sending("data: 1\n\ndata: 2\n\ndata: 12345\n\n")])
        let options = EventStreamOptions(limits: ServerSentEventLimits(eventSize: 4))
        var iterator = try stream(server, options: options).makeAsyncIterator()
        #expect(try await iterator.next()?.data == "1")
        #expect(try await iterator.next()?.data == "2")
        await refusal(.eventTooLarge) { [iterator] in
            var iterator = iterator
            return try await iterator.next()
        }
    }

    /// Comments without end are read, and given to no one, up to the size of a connection.
    @Test(arguments: [":\n", ": a comment\n", "x: y\n", "\n"]) func linesWithoutEventsAreBounded(
        line: String
    ) async throws {
        let endless: Connection = .success(
            .streaming(type: .eventStream) { write throws(TransportError) in
                let piece = Array(String(repeating: line, count: 100).utf8)
                while true { try await write(piece) }
            }
        )
        let server = Server([endless])
        let limits = HTTPLimits(maximumBodySize: 100_000, timeout: .seconds(100))
        await refusal(.bodyTooLarge) { try await data(stream(server, limits: limits)) }
    }

    @Test func anEventIDWithControlsIsNotSentBack() async throws {
        let server = Server([Self.sending("id: a\u{1}b\ndata: 1\n\n")])
        await refusal(.fieldNotAllowed) { try await data(stream(server)) }
        #expect(server.transport.requests.count == 1)
    }

    @Test func refusesFieldsOfTheRequestItself() async throws {
        await refusal(.fieldNotAllowed) { try stream(Server([]), fields: [.accept: "text/html"]) }
    }

    @Test func endsWhenItsTaskIsCancelledBetweenConnections() async throws {
        let clock = ManualClock()
        let stream = try stream(Server([Self.sending("data: 1\n\n")]), clock: clock)
        let task = Task { try await data(stream) }
        await clock.waitForSleepers(1)
        task.cancel()
        await refusal(.cancelled) { try await task.value }
    }
}
