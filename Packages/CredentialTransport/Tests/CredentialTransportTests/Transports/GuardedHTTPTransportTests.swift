import CredentialTransport
import HTTPTypes
import Testing

@Suite struct GuardedHTTPTransportTests {
    private let first = IPAddress.v4(0x0101_0101)
    private let second = IPAddress.v4(0x0808_0808)

    private func transport(
        _ connector: ScriptedConnector,
        _ addresses: [IPAddress],
        clock: any Clock<Duration> = GatedClock(),
        addressGuard: AddressGuard = AddressGuard()
    ) -> GuardedHTTPTransport {
        GuardedHTTPTransport(
            connector: connector,
            addressGuard: addressGuard,
            resolver: FixedHostResolver(["a.example": addresses]),
            clock: clock
        )
    }

    private func request(_ url: String = "https://a.example/") throws -> HTTPTransportRequest {
        .get(try HTTPURL(url), accepting: [.json])
    }

    @Test func connectsToTheAddressThatWasChecked() async throws {
        let connector = ScriptedConnector([first: ScriptedConnector.answering])
        let response = try await transport(connector, [first, second]).response(to: request())
        #expect(response.body == Array("{}".utf8))
        #expect(connector.addresses == [first])
    }

    @Test func contactsNothingThatTheGuardRefuses() async throws {
        let loopback = IPAddress.v4(0x7f00_0001)
        let connector = ScriptedConnector([loopback: ScriptedConnector.answering, first: ScriptedConnector.answering])
        let guarded = transport(connector, [first, loopback])
        await refusal(.addressNotAllowed) { try await guarded.response(to: request()) }
        await refusal(.literalAddressNotAllowed) { try await guarded.response(to: request("https://1.1.1.1/")) }
        await refusal(.schemeNotAllowed) { try await guarded.response(to: request("http://a.example/")) }
        await refusal(.portNotAllowed) { try await guarded.response(to: request("https://a.example:22/")) }
        await refusal(.resolutionFailed) { try await guarded.response(to: request("https://b.example/")) }
        #expect(connector.addresses.isEmpty)
    }

    /// The rules for a URL can be asked before there is a request, whatever is around the transport.
    @Test func refusesAURLBeforeItIsCalled() async throws {
        let connector = ScriptedConnector([first: ScriptedConnector.answering])
        let guarded = transport(connector, [first])
        let url = try HTTPURL("https://a.example/")
        let transports: [any HTTPTransport] = [
            guarded, guarded.keepingConnection(to: url), HTTPSession(with: url, over: guarded),
            ObservedHTTPTransport(guarded, observer: TransportObserver { _ in }),
            InMemoryHTTPTransport { _ in InMemoryHTTPAnswer(status: 204) },
        ]
        for transport in transports {
            try transport.requireAllowed(url)
            await refusal(.schemeNotAllowed) { try transport.requireAllowed(HTTPURL("http://a.example/")) }
            await refusal(.portNotAllowed) { try transport.requireAllowed(HTTPURL("https://a.example:22/")) }
            await refusal(.literalAddressNotAllowed) { try transport.requireAllowed(HTTPURL("https://1.1.1.1/")) }
        }
        #expect(connector.addresses.isEmpty)
    }

    @Test func connectsToLiteralAddressesWhereAllowed() async throws {
        let connector = ScriptedConnector([first: ScriptedConnector.answering])
        let permissive = transport(connector, [], addressGuard: AddressGuard(literalAddresses: true))
        #expect(try await permissive.response(to: request("https://1.1.1.1/")).status == 200)
        #expect(connector.addresses == [first])
    }

    @Test func triesTheNextAddressWhereThereIsNoConnection() async throws {
        let connector = ScriptedConnector([second: ScriptedConnector.answering])
        #expect(try await transport(connector, [first, second]).response(to: request()).status == 200)
        #expect(connector.addresses == [first, second])
        #expect(connector.closed == [first, second])
    }

    @Test func triesNoMoreAddressesThanTheLimit() async throws {
        let connector = ScriptedConnector([:])
        let addresses = (1...9).map { IPAddress.v4(0x0101_0100 + $0) }
        let guarded = transport(connector, addresses)
        await refusal(.connectionFailed) { try await guarded.response(to: request()) }
        #expect(connector.addresses == Array(addresses.prefix(GuardedHTTPTransport.maximumAttempts)))
    }

    /// A host's only address has the whole time, and of several each has a share.
    @Test(arguments: [(1, 10), (2, 5), (4, 2.5), (9, 2.5)])
    func sharesTheTimeAmongTheAddresses(count: Int, seconds: Double) async throws {
        let connector = ScriptedConnector([:])
        let guarded = transport(connector, (1...count).map { .v4(0x0101_0100 + UInt32($0)) })
        await refusal(.connectionFailed) { try await guarded.response(to: request()) }
        #expect(Set(connector.timeouts) == [.seconds(seconds)])
        let kept = guarded.keepingConnection(to: try HTTPURL("https://a.example/"))
        await refusal(.connectionFailed) { try await kept.response(to: request()) }
        #expect(Set(connector.timeouts) == [.seconds(seconds)])
    }

    /// The families take turns (RFC 8305, section 4).
    @Test(arguments: [
        ([6, 6, 6, 6, 6, 4], [6, 4, 6, 6]), ([4, 4, 6, 6, 4], [4, 6, 4, 6]), ([4, 6], [4, 6]), ([6, 6], [6, 6]),
    ])
    func triesBothFamilies(families: [Int], tried: [Int]) async throws {
        let connector = ScriptedConnector([:])
        let v6 = try #require(IPAddress("2606:4700::"))
        guard case .v6(let prefix) = v6 else { return }
        let addresses = families.enumerated().map { index, family in
            family == 4 ? IPAddress.v4(0x0101_0100 + UInt32(index)) : .v6(prefix + UInt128(index))
        }
        let guarded = transport(connector, addresses)
        await refusal(.connectionFailed) { try await guarded.response(to: request()) }
        let found = connector.addresses.map { if case .v4 = $0 { 4 } else { 6 } }
        #expect(found == tried)
        #expect(connector.addresses.first == addresses.first)
        #expect(Set(connector.addresses).count == tried.count)
    }

    @Test func triesNoOtherAddressAfterAnyOtherFailure() async throws {
        let connector = ScriptedConnector([
            first: { request, receiver throws(TransportError) in
                try await receiver.receive(head: HTTPResponse(status: .notFound))
            },
            second: ScriptedConnector.answering,
        ])
        let guarded = transport(connector, [first, second])
        await refusal(.unexpectedStatus) { try await guarded.response(to: request()) }
        #expect(connector.addresses == [first])
    }

    @Test func givesUpWhenTimeIsUp() async throws {
        let clock = GatedClock()
        let connector = ScriptedConnector([
            first: { request, receiver throws(TransportError) in
                clock.elapse()
                try await ScriptedConnector.hanging(request, receiver)
            }
        ])
        let guarded = transport(connector, [first, second], clock: clock)
        let error = await refusal(.timedOut) { try await guarded.response(to: request()) }
        #expect(error?.path == ["https://a.example/"])
        #expect(clock.durations == [.seconds(10)])
        #expect(connector.addresses == [first])
    }

    @Test func endsWhenItsTaskIsCancelled() async throws {
        let started = AsyncStream.makeStream(of: Void.self)
        let connector = ScriptedConnector([
            first: { request, receiver throws(TransportError) in
                started.continuation.finish()
                try await ScriptedConnector.hanging(request, receiver)
            }
        ])
        let guarded = transport(connector, [first])
        let request = try request()
        let task = Task { try await guarded.response(to: request) }
        for await _ in started.stream {}
        task.cancel()
        await refusal(.cancelled) { try await task.value }
    }

    @Test func refusesAnAnswerThatIsNotComplete() async throws {
        let connector = ScriptedConnector([
            first: { request, receiver throws(TransportError) in
                let fields: HTTPFields = [.contentType: "application/json", .contentLength: "2"]
                try await receiver.receive(head: HTTPResponse(status: .ok, headerFields: fields))
            }
        ])
        let guarded = transport(connector, [first])
        await refusal(.incompleteBody) { try await guarded.response(to: request()) }
    }

    @Test func refusesAnAnswerWithoutAHeader() async throws {
        let connector = ScriptedConnector([first: { _, _ throws(TransportError) in }])
        let guarded = transport(connector, [first])
        await refusal(.exchangeFailed) { try await guarded.response(to: request()) }
        await refusal(.exchangeFailed) { try await guarded.stream(for: request()) }
    }

    @Test func streamsAreGuardedToo() async throws {
        let loopback = IPAddress.v4(0x7f00_0001)
        let connector = ScriptedConnector([second: ScriptedConnector.answering])
        await refusal(.addressNotAllowed) { try await transport(connector, [loopback]).stream(for: request()) }
        await refusal(.portNotAllowed) {
            try await transport(connector, [second]).stream(for: request("https://a.example:22/"))
        }
        let stream = try await transport(connector, [first, second]).stream(for: request())
        var body: [UInt8] = []
        for try await piece in stream { body += piece }
        #expect(body == Array("{}".utf8))
        #expect(connector.addresses == [first, second])
    }
}
