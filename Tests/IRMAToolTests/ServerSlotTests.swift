#if Server && Client && SQLite
import CredentialServing
import HTTPTypes
import IRMAMessages
import IRMAServer
import Testing

@testable import IRMATool

/// Requests at the open port of a server that is not made yet.
@Suite struct ServerSlotTests {
    private struct FixedEngine: HTTPEngine {
        let status: HTTPResponse.Status

        func response(to request: ServerRequest) async -> ServerResponse { ServerResponse(status) }
    }

    private static func status(_ engine: any HTTPEngine) async -> HTTPResponse.Status {
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
        return await engine.response(to: ServerRequest(head: head)).status
    }

    private static func wait(for count: Int, in slot: ServerSlot) async {
        while slot.waitingCount < count { await Task.yield() }
    }

    @Test func earlyRequestsWaitForTheServer() async throws {
        let slot = ServerSlot()
        let (wallets, requestors) = (slot.engine { $0.wallets }, slot.engine { $0.requestors })
        async let first = Self.status(wallets)
        async let second = Self.status(requestors)
        await Self.wait(for: 2, in: slot)
        let server = try SessionServer(
            url: "http://127.0.0.1/irma/",
            material: ServerMaterial(schemes: SchemeSnapshot()),
            options: SessionServerOptions(mode: .development)
        )
        slot.fill(
            server,
            ServerEngines(wallets: FixedEngine(status: .accepted), requestors: FixedEngine(status: .created))
        )
        #expect(await [first, second] == [.accepted, .created])
        #expect(slot.waitingCount == 0)
        #expect(await Self.status(wallets) == .accepted)
    }

    @Test func aRequestThatIsCancelledWaitsNoLonger() async {
        let slot = ServerSlot()
        let request = Task { await Self.status(slot.engine { $0.wallets }) }
        await Self.wait(for: 1, in: slot)
        request.cancel()
        #expect(await request.value == .serviceUnavailable)
    }
}
#endif
