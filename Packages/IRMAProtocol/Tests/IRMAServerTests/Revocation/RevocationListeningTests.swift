import CredentialServing
import CredentialTransport
import CryptoCore
import HTTPTypes
import IRMAMessages
import IdemixCore
import JSONKit
import Synchronization
import Testing

@testable import IRMAServer

/// A server that listens to the events of another one's revocation authority.
@Suite struct RevocationListeningTests {
    private let scene: RemoteRevocationWorld
    private let failures = AsyncStream.makeStream(of: IRMAServerError.self)

    init() throws {
        scene = try RemoteRevocationWorld(
            RevocationSettings(serverURL: RemoteRevocationWorld.ownURL, listensToEvents: true)
        )
    }

    /// Runs the reader's background work for the time of a closure.
    private func listening(_ body: (inout AsyncStream<RevocationUpdate>.Iterator) async throws -> Void) async throws {
        let (service, schemes) = (scene.reader.authority, scene.reader.world.scene.material.schemes)
        var kept = service.feed.updates(of: ServerScene.pass).makeAsyncIterator()
        let sink = failures.continuation
        let work = Task { await service.run(schemes: { schemes }, onFailure: { _, error in sink.yield(error) }) }
        try await body(&kept)
        work.cancel()
        await work.value
    }

    private func revoke(_ name: Int) async throws {
        try await scene.authority.revokeSamples(name..<name + 1)
    }

    /// Waits until an accumulator with as many revocations is kept; the authority also signs anew what has not changed.
    private func wait(for index: UInt64, in kept: inout AsyncStream<RevocationUpdate>.Iterator) async throws {
        while let update = await kept.next() {
            if try update.signedAccumulator.unverifiedAccumulator().index == index { return }
        }
        Issue.record("no accumulator \(index)")
    }

    private func knownIndex() async throws -> UInt64? {
        try await scene.reader.records.accumulator(of: ServerScene.pass, keyCounter: 3)?.signedAccumulator
            .unverifiedAccumulator().index
    }

    @Test func keepsRevocationsAsTheyHappen() async throws {
        try await revoke(0)
        try await scene.synchronize()
        #expect(try await knownIndex() == 1)
        try await listening { kept in
            await scene.waitForListener()
            try await revoke(1)
            try await wait(for: 2, in: &kept)
            #expect(try await knownIndex() == 2)
        }
        // Beside the events there was one visit, when the connection had begun.
        #expect(scene.paths.filter { $0 != "updateevents" } == ["update/16", "update/16"])
    }

    @Test func connectsAgainAfterTheServersPause() async throws {
        try await revoke(0)
        try await scene.synchronize()
        try await listening { kept in
            await scene.waitForListener()
            scene.breakOff()
            let time = scene.reader.world.time
            await time.waitForSleeper(.seconds(3))
            try await revoke(1)
            time.advance(by: .seconds(3))
            await scene.waitForListener()
            // The event that came while there was no connection is fetched, without another one.
            try await wait(for: 2, in: &kept)
            #expect(try await knownIndex() == 2)
            try await revoke(2)
            try await wait(for: 3, in: &kept)
        }
    }

    @Test func aServerThatIsAwayIsLookedForEveryTenSeconds() async throws {
        try await revoke(0)
        try await scene.synchronize()
        try await listening { _ in
            await scene.waitForListener()
            let time = scene.reader.world.time
            scene.intercept { _ throws(TransportError) in throw TransportError(.connectionFailed, "away") }
            scene.breakOff()
            for pause in [3, 6] {
                await time.waitForSleeper(.seconds(pause))
                time.advance(by: .seconds(pause))
            }
            await time.waitForSleeper(.seconds(10))
        }
    }

    /// The existing server's pushes have no events, and it has no interval that is not full.
    @Test func anAccumulatorWithoutItsEventsIsFollowedByAVisit() async throws {
        try await revoke(0)
        try await scene.synchronize()
        let path = "/irma/revocation/demo.bank.pass/update/16"
        let earlier = try await scene.authority.world.response(.get, path).body
        try await revoke(1)
        let newest = try await scene.authority.records.accumulator(of: ServerScene.pass, keyCounter: 3)
        let bare = RevocationUpdate(signedAccumulator: try #require(newest).signedAccumulator, events: nil)
        let event = "data: \(try bare.json().text(.compact))\n\n"
        let visits = Mutex(0)
        scene.intercept { path in
            if path.hasSuffix("/updateevents") {
                return .streaming(type: .eventStream) { write throws(TransportError) in
                    try await write(Array(event.utf8))
                }
            }
            if path.contains("/events/") { return InMemoryHTTPAnswer(status: 500) }
            let isFirst = visits.withLock { visits in
                visits += 1
                return visits == 1
            }
            return isFirst ? InMemoryHTTPAnswer(status: 200, body: earlier) : nil
        }
        try await listening { kept in
            try await wait(for: 2, in: &kept)
            #expect(try await knownIndex() == 2)
        }
    }

    @Test func asksServersWithoutEventsAgainLater() async throws {
        try await revoke(0)
        try await scene.synchronize()
        scene.answer(with: InMemoryHTTPAnswer(status: 400))
        try await listening { kept in
            var errors = failures.stream.makeAsyncIterator()
            #expect(await errors.next()?.code == .revocationFailed)
            let time = scene.reader.world.time
            await time.waitForSleeper(.seconds(60))
            scene.answer(with: nil)
            time.advance(by: .seconds(60))
            await scene.waitForListener()
            try await revoke(1)
            try await wait(for: 2, in: &kept)
        }
    }

    @Test func keepsNothingOfForgedEvents() async throws {
        try await revoke(0)
        try await scene.synchronize()
        let forged = try await forgedUpdate()
        scene.answer(
            with: .streaming(type: .eventStream) { write throws(TransportError) in
                try await write(Array("data: no update\n\ndata: \(forged)\n\n".utf8))
            }
        )
        try await listening { _ in
            var errors = failures.stream.makeAsyncIterator()
            for _ in 0..<2 { #expect(await errors.next()?.code == .revocationFailed) }
        }
        #expect(try await knownIndex() == 1)
    }

    /// An update with an unsigned accumulator.
    private func forgedUpdate() async throws -> String {
        try await revoke(1)
        let update = try #require(
            try await scene.authority.records.accumulator(of: ServerScene.pass, keyCounter: 3, lastEvents: 1)
        )
        let genuine = update.signedAccumulator
        var data = genuine.data
        data[data.count - 1] ^= 1
        let changed = RevocationUpdate(
            signedAccumulator: SignedAccumulator(data: data, keyCounter: genuine.keyCounter),
            events: update.events
        )
        return try changed.json().text(.compact)
    }

    @Test func anAuthorityDoesNotListenToEvents() throws {
        #expect(try !RevocationSettings(role: .authority, listensToEvents: true).listensToEvents)
        #expect(try RevocationSettings(listensToEvents: true).listensToEvents)
    }
}
