import CredentialServing
import HTTPTypes
import IRMAMessages
import IdemixCore
import Testing

@testable import IRMAServer

/// The stream of a type's accumulators.
@Suite struct RevocationEventTests {
    private static let path = "/irma/revocation/demo.bank.pass/updateevents"

    private func update(_ piece: [UInt8]?) throws -> RevocationUpdate {
        let text = String(decoding: try #require(piece), as: UTF8.self)
        try #require(text.hasPrefix("data: ") && text.hasSuffix("\n\n"))
        return try RevocationUpdate(decoding: text.dropFirst("data: ".count).utf8)
    }

    @Test func tellsRevocationsAndNewSignatures() async throws {
        let scene = try RevocationWorld()
        for name in ["one", "two"] { _ = try await scene.issuePass(name) }
        let exchange = scene.world.http.open(.get(Self.path))
        #expect(try await exchange.head().headerFields[.contentType] == "text/event-stream")
        await scene.passPause()
        let key = scene.world.scene.keys.publicKey
        let first = try update(await exchange.next()).verified(by: key)
        #expect(first.accumulator.index == 0)
        #expect(first.events.map(\.index) == [0])
        try await scene.authority.revoke(RevocationRequest(ServerScene.pass, revocationKey: "one"))
        let revoked = try update(await exchange.next()).verified(by: key)
        #expect(revoked.accumulator.index == 1)
        #expect(revoked.events.map(\.index) == [0, 1])
        scene.world.time.advance(by: .seconds(60))
        _ = try await scene.world.response(.get, "/irma/revocation/demo.bank.pass/update/16")
        let refreshed = try update(await exchange.next()).verified(by: key)
        #expect(refreshed.accumulator.index == 1)
        #expect(refreshed.accumulator.time == revoked.accumulator.time + 60)
        #expect(refreshed.events.map(\.index) == [0, 1])
        #expect(scene.authority.feed.subscriberCount(of: ServerScene.pass) == 1)
        exchange.disconnect()
    }

    /// A subscriber that was away gets what it missed at once, up to the last 16 events.
    @Test func beginsWithTheLastEvents() async throws {
        let scene = try RevocationWorld()
        func revoke(_ number: Int) async throws {
            _ = try await scene.issuePass("\(number)")
            try await scene.authority.revoke(RevocationRequest(ServerScene.pass, revocationKey: "\(number)"))
        }
        for number in 1...17 { try await revoke(number) }
        let exchange = scene.world.http.open(.get(Self.path))
        _ = try await exchange.head()
        // Nothing is told in the first moments: the existing server, which listens then, is not ready for it.
        await scene.world.time.waitForSleeper(SessionServer.firstUpdatePause)
        try await revoke(18)
        await scene.passPause()
        let told = try update(await exchange.next()).verified(by: scene.world.scene.keys.publicKey)
        #expect(told.accumulator.index == 18)
        #expect(told.events.map(\.index) == Array(3...18))
        exchange.disconnect()
    }

    @Test func tellsWhatAnotherProcessChanged() async throws {
        let scene = try RevocationWorld()
        _ = try await scene.issuePass("one")
        let other = RevocationAuthorityService(
            roles: [ServerScene.pass: [.server, .authority]],
            records: scene.records,
            issuerKeys: scene.world.scene.material.issuerKeys,
            clock: scene.world.time.sessionClock
        )
        let exchange = scene.world.http.open(.get(Self.path))
        _ = try await exchange.head()
        await scene.passPause()
        #expect(try update(await exchange.next()).verified(by: scene.world.scene.keys.publicKey).accumulator.index == 0)
        try await other.revoke(RevocationRequest(ServerScene.pass, revocationKey: "one"))
        let schemes = scene.world.scene.material.schemes
        let rounds = Task { await scene.authority.run(schemes: { schemes }) }
        let told = try update(await exchange.next()).verified(by: scene.world.scene.keys.publicKey)
        #expect(told.accumulator.index == 1)
        #expect(told.events.last?.index == 1)
        rounds.cancel()
        await rounds.value
        exchange.disconnect()
    }

    @Test func aKeyThatFailsHidesNoOther() async throws {
        let scene = try await RevocationWorld.withFailingKey(beside: [7])
        let exchange = scene.world.http.open(.get(Self.path))
        _ = try await exchange.head()
        await scene.passPause()
        #expect(try update(await exchange.next()).signedAccumulator.keyCounter == 7)
        exchange.disconnect()
    }

    @Test func endsWithItsSubscriber() async throws {
        let feed = RevocationFeed()
        do {
            let updates = feed.updates(of: ServerScene.pass)
            #expect(feed.subscriberCount(of: ServerScene.pass) == 1)
            _ = updates
        }
        #expect(feed.subscriberCount(of: ServerScene.pass) == 0)
    }

    @Test func isOfferedWithEventStreamsAlone() async throws {
        let scene = try RevocationWorld { $0.options.offersEventStreams = false }
        let refusal = try await scene.world.response(.get, Self.path)
        #expect(RemoteError(revocationBody: refusal.body, status: refusal.status.code).name == .invalidRequest)
        let other = try await scene.world.response(.get, "/irma/revocation/demo.bank.card/updateevents")
        #expect(other.status == .badRequest)
    }
}
