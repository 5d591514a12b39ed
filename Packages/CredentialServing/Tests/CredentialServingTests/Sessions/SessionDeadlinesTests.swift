import CredentialServing
import Testing

@Suite struct SessionDeadlinesTests {
    @Test func takesSessionsWhenTheirTimeHasCome() {
        let deadlines = SessionDeadlines(maximumCount: 10)
        for (name, deadline) in [("a", 100), ("b", 200), ("c", 300)] as [(String, Int64)] {
            #expect(deadlines.add(name, until: deadline))
        }
        #expect(deadlines.takeExpired(at: 99).isEmpty)
        #expect(deadlines.takeExpired(at: 200).sorted() == ["a", "b"])
        #expect(deadlines.takeExpired(at: 200).isEmpty && deadlines.count == 1)
        #expect(deadlines.takeExpired(at: 300) == ["c"])
        #expect(deadlines.count == 0)
    }

    /// A change of a session moves its deadline, in both directions.
    @Test func replacesDeadlines() {
        let deadlines = SessionDeadlines(maximumCount: 10)
        deadlines.add("a", until: 100)
        deadlines.add("a", until: 300)
        #expect(deadlines.takeExpired(at: 299).isEmpty)
        deadlines.add("a", until: 50)
        #expect(deadlines.takeExpired(at: 50) == ["a"])
    }

    @Test func forgetsSessions() {
        let deadlines = SessionDeadlines(maximumCount: 10)
        deadlines.add("a", until: 100)
        deadlines.add("b", until: 100)
        deadlines.forget("a")
        deadlines.forget("unknown")
        #expect(deadlines.takeExpired(at: 100) == ["b"])
    }

    @Test func hasABound() {
        let deadlines = SessionDeadlines(maximumCount: 2)
        #expect(deadlines.add("a", until: 100) && deadlines.add("b", until: 200))
        #expect(!deadlines.add("c", until: 300))
        // A known session keeps its place.
        #expect(deadlines.add("a", until: 150))
        #expect(deadlines.takeExpired(at: 150) == ["a"])
        #expect(deadlines.add("c", until: 300))
        #expect(deadlines.takeExpired(at: 1000).sorted() == ["b", "c"])
    }
}
