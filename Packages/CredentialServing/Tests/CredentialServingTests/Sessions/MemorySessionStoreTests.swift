import CredentialServing
import Foundation
import ServingContracts
import Testing

@Suite struct MemorySessionStoreTests {
    private let time = SessionTestTime()

    private func entry(_ key: String, value: [UInt8] = [1], lifetime: TimeInterval = 60) -> SessionEntry {
        SessionEntry(key: SessionKey(key), value: value, expiry: time.date + lifetime)
    }

    @Test(arguments: SessionStoreLaw.all)
    func keeps(_ law: SessionStoreLaw) async throws {
        let store = MemorySessionStore(clock: time.clock)
        try await law.check(SessionStoreWorld([store], time: time) { store.subscriptionCount })
    }

    @Test func refusesMoreSessionsThanItsBoundAndKeepsLiveOnes() async throws {
        let store = MemorySessionStore(capacity: MemorySessionCapacity(maximumEntries: 2), clock: time.clock)
        try await store.insert(entry("a", lifetime: 10))
        try await store.insert(entry("b"))
        await expectStoreError(.full) { try await store.insert(entry("c")) }
        #expect(try await store.entry(for: SessionKey("a")) != nil)
        #expect(try await store.entry(for: SessionKey("c")) == nil)
        time.advance(by: .seconds(10))
        try await store.insert(entry("c"))
        #expect(store.count == 2)
    }

    @Test func refusesMoreBytesThanItsBound() async throws {
        let store = MemorySessionStore(capacity: MemorySessionCapacity(maximumBytes: 1024), clock: time.clock)
        // 256 bytes for the bookkeeping, one for the key.
        let fitting = entry("a", value: Array(repeating: 0, count: 1024 - 257))
        await expectStoreError(.full) {
            try await store.insert(entry("a", value: fitting.value + [0]))
        }
        try await store.insert(fitting)
        await expectStoreError(.full) { try await store.insert(entry("b")) }
        var larger = fitting
        larger.value.append(0)
        await expectStoreError(.full) { [larger] in try await store.swap(larger) }
        var smaller = fitting
        smaller.value = []
        try await store.swap(smaller)
        try await store.insert(entry("b"))
        try await store.delete(SessionKey("a"))
        try await store.delete(SessionKey("b"))
        try await store.insert(fitting)
    }

    @Test func holdsTheLockForAtMostAThousandSessionsOfASweep() async throws {
        let store = MemorySessionStore(clock: time.clock)
        for index in 0..<2500 { try await store.insert(entry("expired \(index)", lifetime: 1)) }
        for index in 0..<100 { try await store.insert(entry("live \(index)")) }
        time.advance(by: .seconds(1))
        let sweep = await store.sweep()
        #expect(sweep.removed == 2500)
        #expect(sweep.largestBatch == MemorySessionCapacity.sweepBatch)
        #expect(MemorySessionCapacity.sweepBatch == 1000)
        #expect(sweep.batches == 3)
        #expect(store.count == 100)
    }

    @Test func sweepsAtItsInterval() async throws {
        let store = MemorySessionStore(clock: time.clock)
        try await store.insert(entry("a", lifetime: 1))
        let run = Task { await store.run() }
        await time.waitForSleepers(1)
        time.advance(by: .seconds(10))
        await time.waitForSleepers(1)
        #expect(store.count == 0)
        await store.close()
        await run.value
        #expect(time.durations == [.seconds(10), .seconds(10)])
    }

    @Test func sweepsInTheOrderOfExpiryWhateverSwapsMoved() async throws {
        let store = MemorySessionStore(clock: time.clock)
        var random = SystemRandomNumberGenerator()
        var alive = 0
        for index in 0..<500 {
            var session = entry("\(index)", lifetime: .random(in: 1...100, using: &random))
            try await store.insert(session)
            if index % 3 == 0 {
                session.expiry = time.date + .random(in: 1...100, using: &random)
                session = try await store.swap(session)
            }
            if index % 7 == 0 {
                try await store.delete(session.key)
            } else if session.expiry > time.date + 50 {
                alive += 1
            }
        }
        time.advance(by: .seconds(50))
        await store.sweep()
        #expect(store.count == alive)
    }
}
