import CredentialServing
import ServingContracts
import Synchronization
import Testing

@Suite struct SharedDeadlinesTests {
    private struct Away: Error {}

    private let time = SessionTestTime()
    private let store: MemorySessionStore

    init() {
        store = MemorySessionStore(clock: time.clock)
    }

    private var now: Int64 { time.clock.milliseconds }

    private func deadlines(named name: String = "test", after delay: Duration = .zero) -> SharedDeadlines {
        SharedDeadlines(in: store, named: name, keeping: .seconds(300), after: delay)
    }

    private func ended(by deadlines: SharedDeadlines) async -> [String] {
        let names = Mutex<[String]>([])
        await deadlines.endExpired(at: now) { name in names.withLock { $0.append(name) } }
        return names.withLock { $0.sorted() }
    }

    @Test func endsTheSessionsOfAProcessThatIsGone() async throws {
        for (name, milliseconds) in [("a", 500), ("b", 999), ("c", 1000), ("d", 250_000)] as [(String, Int64)] {
            try await deadlines().add(name, until: now + milliseconds)
        }
        let other = deadlines()
        #expect(await ended(by: other).isEmpty)
        time.advance(by: .milliseconds(999))
        #expect(await ended(by: other).isEmpty)
        time.advance(by: .milliseconds(1))
        #expect(await ended(by: other) == ["a", "b"])
        #expect(await ended(by: other).isEmpty)
        time.advance(by: .seconds(300))
        #expect(await ended(by: other) == ["c", "d"])
        // Notes that were looked at are gone.
        #expect(await ended(by: deadlines()).isEmpty)
    }

    @Test func looksAfterItsDelay() async throws {
        let deadlines = deadlines(after: .seconds(5))
        try await deadlines.add("a", until: now)
        time.advance(by: .milliseconds(5999))
        #expect(await ended(by: deadlines).isEmpty)
        time.advance(by: .milliseconds(1))
        #expect(await ended(by: deadlines) == ["a"])
    }

    /// The delay is 5 to 10.1 seconds, and half of the time for which results are kept at most; a look at a second comes after it.
    @Test(arguments: [(300, 0, 6000), (300, 255, 11_100), (14, 255, 8000), (4, 0, 3000)] as [(Int64, UInt8, Int)])
    func leavesASessionToItsProcessForSomeSeconds(lifetime: Int64, byte: UInt8, milliseconds: Int) async throws {
        let deadlines = SharedDeadlines(
            in: store,
            named: "test",
            keepingResultsFor: .seconds(lifetime),
            spreadBy: byte
        )
        try await deadlines.add("a", until: now)
        time.advance(by: .milliseconds(milliseconds - 1))
        #expect(await ended(by: deadlines).isEmpty)
        time.advance(by: .milliseconds(1))
        #expect(await ended(by: deadlines) == ["a"])
    }

    /// Without any process, a note is kept as long as results are, and for five minutes at most.
    @Test(arguments: [(3600, 303), (60, 63)] as [(Int64, Int64)])
    func forgetsASessionThatNobodyLooksAfter(lifetime: Int64, seconds: Int64) async throws {
        func deadlines() -> SharedDeadlines {
            SharedDeadlines(in: store, named: "test", keepingResultsFor: .seconds(lifetime), spreadBy: 0)
        }
        try await deadlines().add("a", until: now)
        time.advance(by: .seconds(seconds))
        #expect(await ended(by: deadlines()).isEmpty)
    }

    @Test func goesOnWhereItFailed() async throws {
        let deadlines = deadlines()
        try await deadlines.add("a", until: now)
        try await deadlines.add("b", until: now + 1000)
        time.advance(by: .seconds(2))
        await deadlines.endExpired(at: now) { _ in throw Away() }
        #expect(await ended(by: deadlines) == ["a", "b"])
    }

    @Test func notesASessionOnceForEachSecond() async throws {
        let deadlines = deadlines()
        for _ in 0..<3 { try await deadlines.add("a", until: now) }
        try await deadlines.add("a", until: now + 1000)
        time.advance(by: .seconds(2))
        #expect(await ended(by: deadlines) == ["a", "a"])
    }

    @Test func keepsListsApart() async throws {
        try await deadlines(named: "one").add("a", until: now)
        time.advance(by: .seconds(1))
        #expect(await ended(by: deadlines(named: "two")).isEmpty)
        #expect(await ended(by: deadlines(named: "one")) == ["a"])
    }

    @Test func losesNoNoteOfWritersAtOnce() async throws {
        let names = (0..<200).map { "session \($0)" }
        await withTaskGroup { group in
            for name in names {
                group.addTask { try? await deadlines().add(name, until: now) }
            }
        }
        time.advance(by: .seconds(1))
        #expect(await ended(by: deadlines()) == names.sorted())
    }

    /// A look with a clock that runs a day ahead leaves nothing out once the clock is right.
    @Test func looksAgainWhereTheClockWasSetBack() async throws {
        let deadlines = deadlines()
        await deadlines.endExpired(at: now + 86_400_000) { _ in }
        try await deadlines.add("a", until: now)
        time.advance(by: .seconds(1))
        #expect(await ended(by: deadlines) == ["a"])
    }

    @Test func aDamagedListHoldsUpNoOther() async throws {
        let deadlines = deadlines()
        try await deadlines.add("a", until: now)
        try await deadlines.add("b", until: now + 1000)
        // The session "a" is noted in the part of its byte.
        let key = SessionKey("deadlines test \(now / 1000) \(97 % 16)")
        var entry = try #require(try await store.entry(for: key))
        entry.value = [1]
        try await store.swap(entry)
        time.advance(by: .seconds(2))
        #expect(await ended(by: deadlines) == ["b"])
    }

    @Test func refusesDeadlinesThatNoStoreKeeps() async throws {
        for deadline in [Int64.max, Int64.max - 300_000] {
            await #expect(throws: SessionStoreError.self) { try await deadlines().add("a", until: deadline) }
        }
        // One long past is refused by the store.
        let error = await #expect(throws: SessionStoreError.self) {
            try await deadlines().add("a", until: now - 400_000)
        }
        #expect(error?.code == .invalidExpiry)
    }
}
