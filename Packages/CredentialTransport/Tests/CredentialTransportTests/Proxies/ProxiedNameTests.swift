import CredentialTransport
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Hosts that a proxy finds by their names: the guard checks what resolves here.
@Suite struct ProxiedNameTests {
    private static let address = IPAddress.v4(0x0101_0101)
    private static let loopback = IPAddress.v4(0x7f00_0001)

    /// A connector whose proxy is told the names of hosts, and that records its connections.
    private final class NamingConnector: HTTPConnector {
        private let base = ScriptedConnector([address: ScriptedConnector.answering])
        private let closings = Mutex(0)
        private let connections = Mutex<[String]>([])

        /// The hosts of all connections by name.
        var hosts: [String] { connections.withLock { $0 } }
        /// The number of connections by name that were closed.
        var closed: Int { closings.withLock { $0 } }
        var requests: [HTTPTransportRequest] { base.requests }

        func connection(to address: IPAddress, for url: HTTPURL, timeout: Duration) -> any HTTPConnection {
            base.connection(to: address, for: url, timeout: timeout)
        }

        func connection(byNameTo url: HTTPURL, timeout: Duration) -> (any HTTPConnection)? {
            guard case .name(let name) = url.host else { return nil }
            connections.withLock { $0.append(name) }
            return Connection(connector: self, base: base.connection(to: address, for: url, timeout: timeout))
        }

        private struct Connection: HTTPConnection {
            let connector: NamingConnector
            let base: any HTTPConnection

            func exchange(
                _ request: HTTPTransportRequest,
                receiver: any ResponseReceiver
            ) async throws(TransportError) {
                try await base.exchange(request, receiver: receiver)
            }

            func close() async { connector.closings.withLock { $0 += 1 } }
        }
    }

    /// A resolver whose lookups end only when they are cancelled.
    private struct SilentResolver: HostResolver {
        func addresses(of host: String) async throws(TransportError) -> [IPAddress] {
            await hang()
            throw TransportError(.cancelled, "the task was cancelled", path: [host])
        }
    }

    private func transport(
        _ connector: NamingConnector,
        _ resolver: any HostResolver,
        clock: any Clock<Duration> = ManualClock(),
        addressGuard: AddressGuard = AddressGuard()
    ) -> GuardedHTTPTransport {
        GuardedHTTPTransport(connector: connector, addressGuard: addressGuard, resolver: resolver, clock: clock)
    }

    private func request(_ url: String = "https://a.example/") throws -> HTTPTransportRequest {
        .get(try HTTPURL(url), accepting: [.json], limits: HTTPLimits(timeout: .seconds(40)))
    }

    @Test func leavesUnresolvedNamesToTheProxy() async throws {
        let connector = NamingConnector()
        let response = try await transport(connector, FixedHostResolver([:])).response(to: request())
        #expect(response.body == Array("{}".utf8))
        #expect(connector.hosts == ["a.example"])
        #expect(connector.closed == 1)
    }

    @Test func tellsTheProxyNamesWithAllowedAddresses() async throws {
        let connector = NamingConnector()
        let resolver = FixedHostResolver(["a.example": [Self.address]])
        #expect(try await transport(connector, resolver).response(to: request()).status == 200)
        #expect(connector.hosts == ["a.example"])
    }

    @Test func refusesNamesOfPrivateAddressesBeforeTheProxyIsAsked() async throws {
        for addresses in [[Self.loopback], [Self.address, Self.loopback], Array(repeating: Self.address, count: 65)] {
            let connector = NamingConnector()
            let guarded = transport(connector, FixedHostResolver(["a.example": addresses]))
            let code = addresses.count > 2 ? TransportError.Code.resolutionFailed : .addressNotAllowed
            await refusal(code) { try await guarded.response(to: request()) }
            let session = guarded.keepingConnection(to: try HTTPURL("https://a.example/"))
            await refusal(code) { try await session.response(to: request()) }
            await session.close()
            #expect(connector.requests.isEmpty)
            #expect(connector.closed == 2)
        }
    }

    @Test func refusesWhatTheURLAloneForbids() async throws {
        let connector = NamingConnector()
        let guarded = transport(connector, FixedHostResolver([:]))
        await refusal(.literalAddressNotAllowed) { try await guarded.response(to: request("https://127.0.0.1/")) }
        await refusal(.schemeNotAllowed) { try await guarded.response(to: request("http://a.example/")) }
        await refusal(.portNotAllowed) { try await guarded.response(to: request("https://a.example:22/")) }
        let literal = transport(
            connector,
            FixedHostResolver([:]),
            addressGuard: AddressGuard(literalAddresses: true)
        )
        await refusal(.addressNotAllowed) { try await literal.response(to: request("https://10.0.0.1/")) }
        #expect(try await literal.response(to: request("https://1.1.1.1/")).status == 200)
        #expect(connector.hosts.isEmpty)
    }

    @Test func asksTheProxyWhereTheResolverIsSilent() async throws {
        let connector = NamingConnector()
        let clock = ManualClock()
        let guarded = transport(connector, SilentResolver(), clock: clock)
        let request = try request()
        let task = Task { try await guarded.response(to: request) }
        await clock.waitForSleepers(2)
        #expect(connector.requests.isEmpty)
        clock.advance(by: .seconds(10))
        #expect(try await task.value.status == 200)
    }

    @Test func aBusyResolverRefuses() async throws {
        struct BusyResolver: HostResolver {
            func addresses(of host: String) async throws(TransportError) -> [IPAddress] {
                throw TransportError(.resolverBusy, "busy", path: [host])
            }
        }
        let connector = NamingConnector()
        await refusal(.resolverBusy) { try await transport(connector, BusyResolver()).response(to: request()) }
        #expect(connector.requests.isEmpty)
    }

    @Test func aSessionKeepsOneConnection() async throws {
        let connector = NamingConnector()
        let guarded = transport(connector, FixedHostResolver([:]))
        let session = guarded.keepingConnection(to: try HTTPURL("https://a.example/"))
        for _ in 0..<3 { #expect(try await session.response(to: request()).status == 200) }
        #expect(connector.hosts == ["a.example"])
        #expect(connector.closed == 0)
        await session.close()
        #expect(connector.closed == 1)
        await refusal(.cancelled) { try await session.response(to: request()) }
    }
}
