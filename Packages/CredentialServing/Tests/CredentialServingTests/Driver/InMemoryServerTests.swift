import CredentialServing
import HTTPTypes
import ServingContracts
import Testing

@Suite(.timeLimit(.minutes(1)))
struct InMemoryServerTests {
    @Test(arguments: HTTPServingLaw.all)
    func keeps(_ law: HTTPServingLaw) async throws {
        try await law.check(InMemoryWorld())
    }

    @Test func lawsAreCounted() {
        #expect(HTTPServingLaw.all.count == 25)
    }

    @Test func exchangesAreOverAfterTheirClientIsGone() async throws {
        let server = InMemoryServer(
            try RoutedEngine([
                .get("/") { request in .events(for: request) { _ in await request.shutdown.wait() } }
            ])
        )
        let exchange = server.open(.get("/"))
        _ = try await exchange.head()
        #expect(server.exchangeCount == 1)
        exchange.disconnect()
        await exchange.end()
        #expect(server.exchangeCount == 0)
        await expect(.cancelled) { _ = try await exchange.next() }
        await expect(.cancelled) { try await exchange.send([1]) }
    }
}

private struct InMemoryWorld: HTTPServingWorld {
    func run(
        _ engine: any HTTPEngine,
        _ operation: @escaping @Sendable (any HTTPServingPeer) async throws -> Void
    ) async throws {
        let server = InMemoryServer(engine)
        try await operation(Peer(server: server))
        await server.shutDown()
        #expect(server.exchangeCount == 0)
    }

    private struct Peer: HTTPServingPeer {
        let server: InMemoryServer

        func open(_ request: InMemoryRequest) async throws -> any HTTPServingExchange {
            Exchange(exchange: server.open(request))
        }

        func shutDown() async throws {
            await server.shutDown()
        }
    }

    private struct Exchange: HTTPServingExchange {
        let exchange: InMemoryExchange

        func send(_ piece: [UInt8]) async throws { try await exchange.send(piece) }
        func finish() async throws { exchange.finish() }
        func head() async throws -> HTTPResponse { try await exchange.head() }
        func next() async throws -> [UInt8]? { try await exchange.next() }
        func disconnect() async { exchange.disconnect() }
    }
}
