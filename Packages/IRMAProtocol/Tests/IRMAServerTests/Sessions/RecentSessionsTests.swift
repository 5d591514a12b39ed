import CredentialServing
import Foundation
import IRMAMessages
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
            startedAt: 0,
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
        #expect(recent.record(open.entry.value) == nil)
        recent.keep(open, at: 0)
        #expect(recent.record(open.entry.value) == open.value)
        #expect(recent.record(open.entry.value.dropLast() + [0x20]) == nil)
        let next = try await session("a", .connected)
        recent.keep(next, insteadOf: open.entry, at: 0)
        #expect(recent.record(open.entry.value) == nil)
        #expect(recent.record(next.entry.value) == next.value)
    }

    @Test func nothingIsKeptOfASessionThatHasEnded() async throws {
        let recent = RecentSessions()
        let (open, done) = (try await session("a"), try await session("a", .done))
        recent.keep(open, at: 0)
        recent.keep(done, insteadOf: open.entry, at: 0)
        #expect(recent.record(open.entry.value) == nil && recent.record(done.entry.value) == nil)
    }

    @Test func theOldestGoFirst() async throws {
        let recent = RecentSessions()
        var sessions: [TypedSession<SessionRecord>] = []
        for number in 0..<2 * RecentSessions.maximumCount + 1 { sessions.append(try await session("\(number)")) }
        for session in sessions { recent.keep(session, at: 0) }
        let kept = sessions.map { recent.record($0.entry.value) != nil }
        #expect(!kept[0] && kept.suffix(RecentSessions.maximumCount).allSatisfy { $0 })
        for minute in 1...2 {
            recent.keep(try await session("\(minute)"), at: Int64(minute) * RecentSessions.maximumAge)
        }
        #expect(!sessions.dropFirst(3).contains { recent.record($0.entry.value) != nil })
    }
}
