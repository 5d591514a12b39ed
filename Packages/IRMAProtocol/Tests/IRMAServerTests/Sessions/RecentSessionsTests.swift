import CredentialServing
import Foundation
import IRMAMessages
import JSONKit
import Testing

@testable import IRMAServer

/// The values that a server need not decode again.
@Suite struct RecentSessionsTests {
    private func session(
        _ token: String,
        _ status: SessionStatus = .initialized
    ) async throws -> TypedSession<SessionRecord> {
        var record = SessionRecord(
            tokens: (token, token + "-wallet", token + "-frontend"),
            requestor: nil,
            materialID: 1,
            lastActive: 0,
            request: ServerScene.nameRequest,
            wishes: RequestorOptions(),
            implicit: []
        )
        record.setStatus(status)
        let sessions = TypedSessions<SessionRecord>(
            in: MemorySessionStore(),
            encode: { try $0.encoded() },
            decode: { try SessionRecord(decoding: $0) }
        )
        return try await sessions.insert(record, key: record.key, expiry: .now + 100)
    }

    @Test func aValueCountsForItsBytesAlone() async throws {
        let recent = RecentSessions()
        let open = try await session("a")
        #expect(recent.record(open.entry.value, at: 0) == nil)
        recent.keep(open, until: .max, at: 0)
        #expect(recent.record(open.entry.value, at: 0) == open.value)
        #expect(recent.record(open.entry.value.dropLast() + [0x20], at: 0) == nil)
        let next = try await session("a", .connected)
        recent.keep(next, insteadOf: open.entry, until: .max, at: 0)
        #expect(recent.record(open.entry.value, at: 0) == nil)
        #expect(recent.record(next.entry.value, at: 0) == next.value)
    }

    @Test func nothingIsKeptOfASessionThatHasEnded() async throws {
        let recent = RecentSessions()
        let (open, done) = (try await session("a"), try await session("a", .done))
        recent.keep(open, until: .max, at: 0)
        recent.keep(done, insteadOf: open.entry, until: nil, at: 0)
        #expect(recent.record(open.entry.value, at: 0) == nil && recent.record(done.entry.value, at: 0) == nil)
    }

    @Test func theOldestGoFirst() async throws {
        let recent = RecentSessions()
        var sessions: [TypedSession<SessionRecord>] = []
        for number in 0..<2 * RecentSessions.maximumCount + 1 { sessions.append(try await session("\(number)")) }
        for session in sessions { recent.keep(session, until: .max, at: 0) }
        let kept = sessions.map { recent.record($0.entry.value, at: 0) != nil }
        #expect(!kept[0] && kept.suffix(RecentSessions.maximumCount).allSatisfy { $0 })
        for minute in 1...2 {
            let time = Int64(minute) * RecentSessions.maximumAge
            recent.keep(try await session("\(minute)"), until: .max, at: time)
        }
        #expect(!sessions.dropFirst(3).contains { recent.record($0.entry.value, at: 0) != nil })
    }

    @Test func aSessionThatTimesOutIsForgottenWhenAnyIsRead() async throws {
        let recent = RecentSessions()
        let (short, long) = (try await session("short"), try await session("long"))
        recent.keep(short, until: 5000, at: 0)
        recent.keep(long, until: 9000, at: 0)
        #expect(recent.record(short.entry.value, at: 4999) == short.value && recent.count == 2)
        #expect(recent.record(long.entry.value, at: 5000) == long.value && recent.count == 1)
        #expect(recent.record(short.entry.value, at: 0) == nil)
        #expect(recent.record(Array("other".utf8), at: 9000) == nil && recent.count == 0)
        recent.keep(short, until: 9000, at: 9000)
        #expect(recent.count == 0)
    }

    @Test func aSessionThatTimesOutAtTheServerIsForgotten() async throws {
        let world = try ServerWorld()
        _ = try await world.start()
        #expect(world.server.recent.count == 1)
        world.time.advance(by: .seconds(900))
        let other = try await world.start()
        #expect(world.server.recent.count == 1)
        #expect(try await world.server.status(of: other.token) == .initialized)
    }

    @Test func anotherProcessMayChangeASession() async throws {
        let time = TestTime(ServerScene.now)
        let store = MemorySessionStore(clock: time.sessionClock)
        let worlds = try (0..<2).map { _ in
            try ServerWorld {
                $0.store = store
                $0.time = time
            }
        }
        let (one, other) = (worlds[0], worlds[1])
        let package = try await one.start()
        _ = try await one.server.setPairing(.pin, of: package.token)
        // Both know the session by now; each change by one is seen by the other.
        #expect(try await other.server.status(of: package.token) == .initialized)
        _ = try await other.wallet(package).connect()
        #expect(try await one.server.status(of: package.token) == .pairing)
        try await one.server.completePairing(of: package.token)
        let status = try await other.wallet(package).get("status")
        #expect(try status.json() == .string("CONNECTED"))
        try await other.server.cancel(package.token)
        #expect(try await one.server.status(of: package.token) == .cancelled)
        try expectError(.unexpectedRequest, in: await one.wallet(package).post("proofs", []))
        // What the other changed goes when its time is up.
        time.advance(by: .seconds(900))
        for world in worlds {
            _ = try await world.start()
            #expect(world.server.recent.count == 1)
        }
    }
}
