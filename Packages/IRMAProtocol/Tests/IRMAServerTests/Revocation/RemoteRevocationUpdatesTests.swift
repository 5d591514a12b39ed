import CredentialServing
import CredentialTransport
import Foundation
import IRMAMessages
import IdemixCore
import TestSupport
import Testing

@testable import IRMAServer

/// Accumulators that another server has.
@Suite struct RemoteRevocationUpdatesTests {
    private static let server = "https://revocation.example/irma/"
    private static let url = server + "revocation/demo.bank.pass/update/16"
    private let scene: RevocationWorld
    private let updates: [UInt: RevocationUpdate]
    private let schemes: SchemeSnapshot

    init() async throws {
        scene = try RevocationWorld()
        _ = try await scene.issuePass("first")
        schemes = scene.world.scene.material.schemes
        updates = try await scene.authority.updates(of: ServerScene.pass, lastEvents: 16, schemes: schemes)
    }

    private func source(
        _ body: [UInt8],
        status: Int = 200,
        time: TestTime = TestTime(ServerScene.now)
    ) -> (RemoteRevocationUpdates, InMemoryHTTPTransport) {
        let transport = InMemoryHTTPTransport([Self.url: InMemoryHTTPAnswer(status: status, body: body)])
        let source = RemoteRevocationUpdates(
            transport: transport,
            servers: [ServerScene.pass: Self.server],
            clock: time.sessionClock
        )
        return (source, transport)
    }

    @Test func asksOnceAMinute() async throws {
        let time = TestTime(ServerScene.now)
        let (source, transport) = source(RevocationUpdates(updates).cborEncoded(), time: time)
        for _ in 0..<3 {
            #expect(try await source.updates(of: ServerScene.pass, lastEvents: 16, schemes: schemes) == updates)
        }
        #expect(transport.requests.count == 1)
        time.advance(by: .seconds(60))
        _ = try await source.updates(of: ServerScene.pass, lastEvents: 16, schemes: schemes)
        #expect(transport.requests.count == 2)
    }

    @Test func leavesOutAnAccumulatorOfAnUnknownKey() async throws {
        let update = try #require(updates[3])
        let (source, _) = source(RevocationUpdates([3: update, 9: update]).cborEncoded())
        #expect(try await source.updates(of: ServerScene.pass, lastEvents: 16, schemes: schemes) == [3: update])
    }

    @Test func refusesAnAccumulatorThatDoesNotVerify() async throws {
        let update = try #require(updates[3])
        var bytes = RevocationUpdates([3: update]).cborEncoded()
        bytes[bytes.count / 2] ^= 1
        let (source, _) = source(bytes)
        let error = await #expect(throws: IRMAServerError.self) {
            try await source.updates(of: ServerScene.pass, lastEvents: 16, schemes: schemes)
        }
        #expect(error?.code == .revocationFailed)
    }

    @Test(arguments: [([UInt8]("<html>".utf8), 200), ([], 404), ([0xA0], 200)])
    func refusesAnAnswerWithoutAccumulators(body: [UInt8], status: Int) async throws {
        let (source, _) = source(body, status: status)
        let error = await #expect(throws: IRMAServerError.self) {
            try await source.updates(of: ServerScene.pass, lastEvents: 16, schemes: schemes)
        }
        #expect(error?.code == .revocationFailed)
    }

    @Test func asksNoServerForItsOwnTypes() async throws {
        let transport = InMemoryHTTPTransport([:])
        let source = RemoteRevocationUpdates(transport: transport, local: scene.authority)
        #expect(try await source.updates(of: ServerScene.pass, lastEvents: 16, schemes: schemes).keys.sorted() == [3])
        #expect(transport.requests.isEmpty)
    }
}
