import CredentialTransport
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Answers that are read as they arrive.
@Suite struct HTTPResponseStreamTests {
    private static let url = "https://a.example/stream"

    private let clock = ManualClock()

    private func request(
        size: Int = 100,
        errorSize: Int? = nil,
        timeout: Duration = .seconds(100),
        silence: Duration? = nil
    ) throws -> HTTPTransportRequest {
        let limits = HTTPLimits(
            maximumBodySize: size,
            maximumErrorBodySize: errorSize,
            timeout: timeout,
            maximumSilence: silence
        )
        return .get(try HTTPURL(Self.url), accepting: [.json], limits: limits)
    }

    private func transport(
        _ writer: @escaping @Sendable (InMemoryHTTPAnswer.Write) async throws(TransportError) -> Void
    ) -> InMemoryHTTPTransport {
        InMemoryHTTPTransport(clock: clock) { _ throws(TransportError) in .streaming(type: .json, writer: writer) }
    }

    @Test func givesPiecesAsTheyArrive() async throws {
        let gate = Gate()
        let transport = transport { write throws(TransportError) in
            try await write([1, 2])
            await gate.pass()
            try await write([])
            try await write([3])
        }
        let stream = try await transport.stream(for: request())
        #expect(stream.status == 200)
        #expect(stream.contentType == .json)
        #expect(stream.headerFields[.contentType] == "application/json")
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == [1, 2])
        gate.open()
        #expect(try await iterator.next() == [3])
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test func waitsForItsReader() async throws {
        let written = Mutex(0)
        let transport = transport { write throws(TransportError) in
            for byte in UInt8(0)..<50 {
                try await write([byte])
                written.withLock { $0 += 1 }
            }
        }
        let stream = try await transport.stream(for: request())
        var read = 0
        for try await _ in stream {
            read += 1
            #expect(written.withLock { $0 } <= read)
        }
        #expect(read == 50)
    }

    @Test(arguments: [99, 100]) func takesABodyUpToTheLimit(size: Int) async throws {
        let transport = transport { write throws(TransportError) in
            for _ in 0..<size { try await write([0]) }
        }
        var count = 0
        for try await piece in try await transport.stream(for: request()) { count += piece.count }
        #expect(count == size)
    }

    @Test func endsABodyOnePastTheLimit() async throws {
        let transport = transport { write throws(TransportError) in
            while true { try await write([0]) }
        }
        let stream = try await transport.stream(for: request())
        var count = 0
        await refusal(.bodyTooLarge) { for try await piece in stream { count += piece.count } }
        #expect(count == 100)
    }

    @Test func endsWhenTimeIsUpThoughBytesKeepComing() async throws {
        let clock = clock
        let transport = transport { write throws(TransportError) in
            for _ in 0..<99 {
                try await write([0])
                clock.advance(by: .seconds(1))
            }
            try await write([0])
            await hang()
        }
        var iterator = try await transport.stream(for: request(silence: .seconds(10))).makeAsyncIterator()
        for _ in 0..<100 { #expect(try await iterator.next() == [0]) }
        clock.advance(by: .seconds(1))
        await refusal(.timedOut) { [iterator] in
            var iterator = iterator
            return try await iterator.next()
        }
    }

    @Test func endsAfterASilence() async throws {
        let (clock, gate) = (clock, Gate())
        let transport = transport { write throws(TransportError) in
            try await write([1])
            await gate.pass()
            try await write([2])
            await hang()
        }
        let stream = try await transport.stream(for: request(silence: .seconds(10)))
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == [1])
        // The reader's own time does not count.
        clock.advance(by: .seconds(50))
        let second = Task {
            var iterator = stream.makeAsyncIterator()
            return try await iterator.next()
        }
        await clock.waitForSleepers(2)
        clock.advance(by: .milliseconds(9_999))
        gate.open()
        #expect(try await second.value == [2])
        let third = Task {
            var iterator = stream.makeAsyncIterator()
            return try await iterator.next()
        }
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(10))
        let error = await refusal(.timedOut) { try await third.value }
        #expect(error?.message.contains("no byte") == true)
        #expect(error?.path == [Self.url])
    }

    @Test func aSilentServerSendsNoHeader() async throws {
        let request = try request(silence: .seconds(10))
        let transport = InMemoryHTTPTransport(clock: clock) { _ throws(TransportError) in
            await hang()
            return InMemoryHTTPAnswer(status: 200)
        }
        let task = Task { try await transport.stream(for: request) }
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(10))
        await refusal(.timedOut) { try await task.value }
    }

    @Test func theExchangeEndsWithItsStream() async throws {
        let (ended, transport) = endless()
        var stream: HTTPResponseStream? = try await transport.stream(for: request())
        #expect(stream?.status == 200)
        stream = nil
        await ended.wait(for: 1)
    }

    @Test func theExchangeEndsWhenItIsCancelled() async throws {
        let (ended, transport) = endless()
        let stream = try await transport.stream(for: request())
        stream.cancel()
        await ended.wait(for: 1)
        await refusal(.cancelled) { for try await _ in stream {} }
    }

    @Test func aReaderEndsWhenItsTaskIsCancelled() async throws {
        let (_, transport) = endless()
        let stream = try await transport.stream(for: request(silence: .seconds(10)))
        let task = Task { for try await _ in stream {} }
        await clock.waitForSleepers(2)
        task.cancel()
        await refusal(.cancelled) { try await task.value }
    }

    @Test func refusesASecondReader() async throws {
        let (_, transport) = endless()
        let stream = try await transport.stream(for: request())
        await withTaskGroup(of: TransportError.Code?.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    do throws(TransportError) {
                        for try await _ in stream {}
                        return nil
                    } catch {
                        return error.code
                    }
                }
            }
            #expect(await group.next() == .exchangeFailed)
            stream.cancel()
            #expect(await group.next() == .cancelled)
        }
    }

    @Test func descriptionsLeaveTheHeaderOut() async throws {
        var answer = InMemoryHTTPAnswer.ok([], type: .json)
        answer.headerFields[.setCookie] = "id=secret"
        let stream = try await InMemoryHTTPTransport([Self.url: answer]).stream(for: request())
        #expect("\(stream)" == "200 application/json, streamed")
        var dumped = ""
        dump(stream, to: &dumped)
        for text in [String(reflecting: stream), dumped] { #expect(!text.contains("secret")) }
    }

    /// A transport whose answer never ends, and a gate that opens when its exchange does.
    private func endless() -> (ended: Gate, InMemoryHTTPTransport) {
        let ended = Gate()
        ended.open()
        let transport = transport { _ throws(TransportError) in
            await hang()
            await ended.pass()
        }
        return (ended, transport)
    }

    @Test func breaksOffWhereTheServerDoes() async throws {
        let transport = transport { write throws(TransportError) in
            try await write([1])
            throw TransportError(.exchangeFailed, "the exchange broke off")
        }
        var iterator = try await transport.stream(for: request()).makeAsyncIterator()
        #expect(try await iterator.next() == [1])
        await refusal(.exchangeFailed) { [iterator] in
            var iterator = iterator
            return try await iterator.next()
        }
    }

    @Test func refusesAnIncompleteBody() async throws {
        let transport = InMemoryHTTPTransport([
            Self.url: InMemoryHTTPAnswer(
                status: 200,
                headerFields: [.contentType: "application/json", .contentLength: "3"],
                body: [1, 2]
            )
        ])
        let stream = try await transport.stream(for: request())
        await refusal(.incompleteBody) { for try await _ in stream {} }
    }

    @Test func refusesAnotherAnswerBeforeItsBody() async throws {
        let transport = InMemoryHTTPTransport([Self.url: .ok([1], type: .form)])
        await refusal(.contentTypeNotAccepted) { try await transport.stream(for: request()) }
        await refusal(.unexpectedStatus) { try await InMemoryHTTPTransport([:]).stream(for: request()) }
        let guarded = InMemoryHTTPTransport([:], addressGuard: AddressGuard(ports: .only([8443])))
        await refusal(.portNotAllowed) { try await guarded.stream(for: request()) }
    }

    @Test func readsTheBodyOfAnError() async throws {
        let answer = InMemoryHTTPAnswer(status: 400, headerFields: [.contentType: "text/plain"], body: [7, 8])
        let transport = InMemoryHTTPTransport([Self.url: answer])
        let error = await refusal(.unexpectedStatus) { try await transport.stream(for: request(errorSize: 2)) }
        #expect(error?.answer?.body == [7, 8])
        let short = await refusal(.unexpectedStatus) { try await transport.stream(for: request(errorSize: 1)) }
        #expect(short?.answer?.body == [])
    }

    @Test func followsRedirectsThatAreChecked() async throws {
        let transport = InMemoryHTTPTransport([
            Self.url: .redirect(to: "/2"), "https://a.example/2": .redirect(to: "https://10.0.0.1/"),
            "https://a.example/3": .redirect(to: "/4"), "https://a.example/4": .ok([4], type: .json),
        ])
        await refusal(.redirected) { try await transport.stream(for: request()) }
        await refusal(.literalAddressNotAllowed) {
            try await transport.stream(for: request(), followingRedirects: 2)
        }
        let other = HTTPTransportRequest.get(try HTTPURL("https://a.example/3"), accepting: [.json])
        var iterator = try await transport.stream(for: other, followingRedirects: 1).makeAsyncIterator()
        #expect(try await iterator.next() == [4])
    }
}
