import CredentialTransport
import HTTPTypes
import Synchronization
import Testing

/// The connection of a session.
@Suite struct HTTPSessionConnectionTests {
    private let first = IPAddress.v4(0x0101_0101)
    private let second = IPAddress.v4(0x0808_0808)
    private let loopback = IPAddress.v4(0x7f00_0001)

    /// A resolver whose answers change from one to the next; the last one stays.
    private final class ChangingResolver: HostResolver {
        private let answers: Mutex<[[IPAddress]]>
        private let asked = Mutex<[String]>([])

        init(_ answers: [[IPAddress]]) {
            self.answers = Mutex(answers)
        }

        var hosts: [String] { asked.withLock { $0 } }

        func addresses(of host: String) async throws(TransportError) -> [IPAddress] {
            asked.withLock { $0.append(host) }
            return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? [] }
        }
    }

    private func transport(_ connector: ScriptedConnector, _ resolver: ChangingResolver) -> GuardedHTTPTransport {
        GuardedHTTPTransport(connector: connector, resolver: resolver, clock: GatedClock())
    }

    private func session(_ connector: ScriptedConnector, _ resolver: ChangingResolver) throws -> HTTPSession {
        HTTPSession(with: try HTTPURL("https://a.example/"), over: transport(connector, resolver))
    }

    private func get(_ session: any HTTPStreamingTransport, _ url: String = "https://a.example/x") async throws {
        _ = try await session.response(to: .get(try HTTPURL(url), accepting: [.json]))
    }

    @Test func keepsTheConnectionToTheCheckedAddress() async throws {
        let connector = ScriptedConnector([
            first: ScriptedConnector.answering, second: ScriptedConnector.answering,
            loopback: ScriptedConnector.answering,
        ])
        let resolver = ChangingResolver([[first], [second], [loopback]])
        let session = try session(connector, resolver)
        for _ in 0..<3 { try await get(session) }
        _ = try await session.stream(for: .get(try HTTPURL("https://a.example/s"), accepting: [.json]))
        #expect(resolver.hosts == ["a.example"])
        #expect(connector.addresses == [first, first, first, first])
        #expect(connector.opened == [first])
        #expect(connector.closed.isEmpty)
        await session.close()
        #expect(connector.closed == [first])
        await refusal(.cancelled) { try await get(session) }
    }

    @Test func theAddressThatAnsweredStays() async throws {
        let connector = ScriptedConnector([second: ScriptedConnector.answering])
        let session = try session(connector, ChangingResolver([[first, second]]))
        for _ in 0..<2 { try await get(session) }
        #expect(connector.addresses == [first, second, second])
        await session.close()
    }

    @Test func isNotMovedWhenItsAddressFails() async throws {
        let isUp = Mutex(true)
        let connector = ScriptedConnector([
            first: { request, receiver throws(TransportError) in
                guard isUp.withLock({ $0 }) else { throw TransportError(.connectionFailed, "no connection") }
                try await ScriptedConnector.answering(request, receiver)
            },
            second: ScriptedConnector.answering,
        ])
        let resolver = ChangingResolver([[first, second], [second]])
        let session = try session(connector, resolver)
        try await get(session)
        isUp.withLock { $0 = false }
        await refusal(.connectionFailed) { try await get(session) }
        #expect(connector.addresses == [first, first])
        #expect(resolver.hosts == ["a.example"])
        await session.close()
    }

    @Test func refusesAHostWithAForbiddenAddress() async throws {
        let connector = ScriptedConnector([
            first: ScriptedConnector.answering, loopback: ScriptedConnector.answering,
        ])
        let session = try session(connector, ChangingResolver([[first, loopback]]))
        await refusal(.addressNotAllowed) { try await get(session) }
        await refusal(.portNotAllowed) { try await get(session, "https://a.example:22/") }
        await refusal(.schemeNotAllowed) { try await get(session, "http://a.example/") }
        #expect(connector.addresses.isEmpty)
    }

    @Test func resolvesAgainAfterAFailedResolution() async throws {
        let connector = ScriptedConnector([first: ScriptedConnector.answering])
        let session = try session(connector, ChangingResolver([[], [first]]))
        await refusal(.resolutionFailed) { try await get(session) }
        try await get(session)
        #expect(connector.addresses == [first])
        await session.close()
    }

    @Test func anotherOriginHasItsOwnConnectionAndIsChecked() async throws {
        let connector = ScriptedConnector([
            first: ScriptedConnector.answering([.setCookie: "id=x"]), second: ScriptedConnector.answering,
        ])
        let resolver = ChangingResolver([[first], [second], [loopback]])
        let session = try session(connector, resolver)
        try await get(session)
        try await get(session, "https://b.example/")
        #expect(connector.requests.last?.headerFields[.cookie] == nil)
        #expect(connector.closed == [second])
        await refusal(.addressNotAllowed) { try await get(session, "https://b.example/") }
        try await get(session)
        #expect(connector.requests.last?.headerFields[.cookie] == "id=x")
        #expect(connector.addresses == [first, second, first])
        #expect(resolver.hosts == ["a.example", "b.example", "b.example"])
        await session.close()
    }

    @Test func aRedirectInASessionCannotReachAPrivateAddress() async throws {
        for (target, code) in [
            ("https://inside.example/", TransportError.Code.addressNotAllowed),
            ("https://127.0.0.1/", .literalAddressNotAllowed), ("http://a.example/", .schemeNotAllowed),
        ] {
            let count = Mutex(0)
            let connector = ScriptedConnector([
                first: { request, receiver throws(TransportError) in
                    let isFirst = count.withLock { count in
                        count += 1
                        return count == 1
                    }
                    if isFirst { return try await ScriptedConnector.answering([.setCookie: "id=x"])(request, receiver) }
                    let fields: HTTPFields = [.location: target]
                    try await receiver.receive(head: HTTPResponse(status: .found, headerFields: fields))
                },
                loopback: ScriptedConnector.answering,
            ])
            let session = try session(connector, ChangingResolver([[first], [loopback]]))
            try await get(session)
            let request = HTTPTransportRequest.get(try HTTPURL("https://a.example/x"), accepting: [.json])
            await refusal(code) { try await session.response(to: request, followingRedirects: 5) }
            await refusal(code) { try await session.stream(for: request, followingRedirects: 5) }
            #expect(connector.addresses == [first, first, first])
            await session.close()
        }
    }

    /// Callers that begin at the same time resolve at the same time, and yet agree on the address.
    @Test func concurrentRequestsGoToOneAddress() async throws {
        let gate = Gate()
        let waiting: ScriptedConnector.Step = { request, receiver throws(TransportError) in
            await gate.pass()
            try await ScriptedConnector.answering(request, receiver)
        }
        let connector = ScriptedConnector([first: waiting, second: waiting])
        let session = try session(connector, ChangingResolver([[first], [second], [first], [second]]))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { try await get(session) } }
            await gate.wait(for: 10)
            gate.open()
            try await group.waitForAll()
        }
        #expect(Set(connector.addresses).count == 1)
        #expect(connector.opened.count == 1)
        await session.close()
    }

    @Test func aClosedTransportOfASessionMakesNoConnection() async throws {
        let connector = ScriptedConnector([first: ScriptedConnector.answering])
        let kept = transport(connector, ChangingResolver([[first]]))
            .keepingConnection(to: try HTTPURL("https://a.example/"))
        try await get(kept)
        await kept.close()
        await refusal(.cancelled) { try await get(kept) }
        #expect(connector.opened == [first])
        #expect(connector.closed == [first])
    }

    @Test func aReleasedSessionClosesItsConnection() async throws {
        let connector = ScriptedConnector([first: ScriptedConnector.answering])
        try await get(try session(connector, ChangingResolver([[first]])))
        while connector.closed.isEmpty { await Task.yield() }
        #expect(connector.closed == [first])
    }

    @Test func keepsItsConnectionForAStreamOfEvents() async throws {
        let connector = ScriptedConnector([
            first: { request, receiver throws(TransportError) in
                let fields: HTTPFields = [.contentType: "text/event-stream", .setCookie: "id=x"]
                try await receiver.receive(head: HTTPResponse(status: .ok, headerFields: fields))
                try await receiver.receive(Array("data: 1\n\n".utf8))
            }
        ])
        let session = try session(connector, ChangingResolver([[first], [loopback]]))
        let url = try HTTPURL("https://a.example/events")
        let events = try EventStream(at: url, over: session, clock: InstantClock())
        var count = 0
        for try await _ in events {
            count += 1
            if count == 3 { break }
        }
        #expect(connector.opened == [first])
        #expect(connector.requests.map { $0.headerFields[.cookie] } == [nil, "id=x", "id=x"])
        await session.close()
    }
}
