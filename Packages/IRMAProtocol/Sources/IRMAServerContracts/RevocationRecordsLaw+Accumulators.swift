import IRMAServer
import IdemixCore

/// A chain of events with made-up accumulators: no store verifies a signature.
struct SampleChain: Sendable {
    static let type = CredentialTypeIdentifier("demo.bank.pass")
    let keyCounter: UInt
    private(set) var events: [RevocationEvent] = [.first]
    private var time: UInt8 = 0

    init(keyCounter: UInt = 3) {
        self.keyCounter = keyCounter
    }

    /// The accumulator; it differs with each event and each signature.
    var accumulator: SignedAccumulator {
        let hash = events.last?.hash.bytes ?? []
        return SignedAccumulator(data: [time] + hash, keyCounter: keyCounter)
    }

    mutating func revoke(_ prime: BigInteger) {
        guard let last = events.last else { return }
        events.append(RevocationEvent(index: last.index + 1, prime: prime, parent: last.hash))
    }

    mutating func sign() { time += 1 }

    /// The accumulator with its last events.
    func update(_ count: Int) throws -> RevocationUpdate {
        let last = events.suffix(count)
        return RevocationUpdate(
            signedAccumulator: accumulator,
            events: last.isEmpty ? nil : try RevocationEventList(last)
        )
    }

    /// Puts the accumulator with its last events in the place of an earlier one.
    func put(
        _ count: Int,
        in records: any RevocationRecords,
        expecting previous: SampleChain?,
        of type: CredentialTypeIdentifier = SampleChain.type,
        revoking revoked: [IssuanceRecord] = [],
        at time: Int64 = 5
    ) async throws {
        try await records.replace(
            with: try update(count),
            of: type,
            keyCounter: keyCounter,
            expecting: previous?.accumulator,
            revoking: revoked,
            at: time
        )
    }
}

extension RevocationRecordsLaw {
    private static let type = SampleChain.type
    private static let other = CredentialTypeIdentifier("demo.bank.Pass")

    static let accumulators = [
        RevocationRecordsLaw("an empty store has nothing, and serves") { stores in
            try await stores.reader.check()
            try expect(try await stores.reader.keyCounters(of: type).isEmpty, "no keys")
            let update = try await stores.reader.accumulator(of: type, keyCounter: 3, lastEvents: 16)
            try expect(update == nil, "no accumulator")
            try expect(try await stores.reader.events(of: type, keyCounter: 3, in: 0..<16) == nil, "no events")
            try expect(try await stores.reader.records(of: type, revocationKey: "a").isEmpty, "no records")
            try expect(try await stores.writer.deleteExpired(before: .max) == 0, "nothing to delete")
        },
        RevocationRecordsLaw("an accumulator is read as it was put, by type and key") { stores in
            let (first, second) = (SampleChain(), SampleChain(keyCounter: 12))
            try await first.put(1, in: stores.writer, expecting: nil)
            try await second.put(1, in: stores.writer, expecting: nil)
            try await first.put(1, in: stores.writer, expecting: nil, of: other)
            try expect(try await stores.reader.keyCounters(of: type) == [3, 12], "two keys")
            try expect(try await stores.reader.keyCounters(of: other) == [3], "one key of the other type")
            for chain in [first, second] {
                let update = try await stores.reader.accumulator(of: type, keyCounter: chain.keyCounter, lastEvents: 9)
                try expect(try update == chain.update(1), "the same accumulator and event")
            }
            let none = try await stores.reader.accumulator(of: type, keyCounter: 4, lastEvents: 9)
            try expect(none == nil, "none of another key")
        },
        RevocationRecordsLaw("an accumulator is replaced only where the expected one is there") { stores in
            let first = SampleChain()
            var second = first
            second.revoke(101)
            try await expectRefusal(.conflict, "an accumulator after none") {
                try await second.put(1, in: stores.writer, expecting: first)
            }
            try await first.put(1, in: stores.writer, expecting: nil)
            try await expectRefusal(.conflict, "a first one again") {
                try await first.put(1, in: stores.reader, expecting: nil)
            }
            let record = record("a")
            try await stores.writer.add(record)
            try await second.put(1, in: stores.writer, expecting: first)
            var third = first
            third.revoke(103)
            try await expectRefusal(.conflict, "one made from an older one") { [third] in
                try await third.put(1, in: stores.reader, expecting: first, revoking: [record])
            }
            let update = try await stores.reader.accumulator(of: type, keyCounter: 3, lastEvents: 9)
            try expect(try update == second.update(2), "the second one stays")
            let kept = try await stores.reader.records(of: type, revocationKey: "a")
            try expect(kept == [record], "nothing is revoked")
        },
        RevocationRecordsLaw("an accumulator that is signed anew keeps its events") { stores in
            let first = SampleChain()
            var second = first
            second.sign()
            try await first.put(1, in: stores.writer, expecting: nil)
            try await second.put(0, in: stores.writer, expecting: first)
            let update = try await stores.reader.accumulator(of: type, keyCounter: 3, lastEvents: 9)
            try expect(try update == second.update(1), "the new accumulator with the event")
        },
    ]

    static let chains = [
        RevocationRecordsLaw("events are read by their number, and by their indices") { stores in
            let first = SampleChain()
            try await first.put(1, in: stores.writer, expecting: nil)
            var chain = first
            for number in 1...20 { chain.revoke(BigInteger(1000 + number)) }
            try await chain.put(20, in: stores.writer, expecting: first)
            for count in [0, 1, 16, 21, 100, .max] {
                let update = try await stores.reader.accumulator(of: type, keyCounter: 3, lastEvents: count)
                try expect(try update == chain.update(count), "the last \(count) events")
            }
            let negative = try await stores.reader.accumulator(of: type, keyCounter: 3, lastEvents: -1)
            try expect(try negative == chain.update(0), "no events")
            for range: Range<UInt64> in [0..<16, 16..<32, 20..<21, 0..<UInt64.max] {
                let list = try await stores.reader.events(of: type, keyCounter: 3, in: range)
                let events = chain.events.filter { range.contains($0.index) }
                try expect(try list == RevocationEventList(events), "the events \(range)")
            }
            for range: Range<UInt64> in [5..<5, 21..<32, (UInt64.max - 1)..<UInt64.max] {
                let list = try await stores.reader.events(of: type, keyCounter: 3, in: range)
                try expect(list == nil, "no events \(range)")
            }
        },
        RevocationRecordsLaw("a chain may begin with a later event, and never without one") { stores in
            var chain = SampleChain()
            for number in 1...5 { chain.revoke(BigInteger(1000 + number)) }
            try await expectRefusal(.revocationFailed, "a first accumulator without events") { [chain] in
                try await chain.put(0, in: stores.writer, expecting: nil)
            }
            try await chain.put(2, in: stores.writer, expecting: nil)
            let update = try await stores.reader.accumulator(of: type, keyCounter: 3, lastEvents: 9)
            try expect(try update == chain.update(2), "two events")
            let list = try await stores.reader.events(of: type, keyCounter: 3, in: 0..<16)
            try expect(list?.firstIndex == 4, "the first of them")
        },
        RevocationRecordsLaw("events that do not follow those that are there are refused") { stores in
            let first = SampleChain()
            try await first.put(1, in: stores.writer, expecting: nil)
            var chain = first
            chain.revoke(101)
            try await chain.put(1, in: stores.writer, expecting: first)
            var next = chain
            next.revoke(103)
            next.revoke(107)
            var fork = first
            fork.revoke(109)
            fork.revoke(113)
            let record = record("a")
            try await stores.writer.add(record)
            let refused = [(next, 1, "a gap"), (next, 3, "an event that is there"), (fork, 1, "another chain")]
            for (other, count, subject) in refused {
                try await expectRefusal(.revocationFailed, subject) { [chain] in
                    try await other.put(count, in: stores.writer, expecting: chain, revoking: [record])
                }
            }
            try await expectRefusal(.revocationFailed, "another key's accumulator") { [chain] in
                try await stores.writer.replace(
                    with: SampleChain(keyCounter: 4).update(1),
                    of: type,
                    keyCounter: 3,
                    expecting: chain.accumulator,
                    revoking: [],
                    at: 1
                )
            }
            let update = try await stores.reader.accumulator(of: type, keyCounter: 3, lastEvents: 9)
            try expect(try update == chain.update(2), "nothing changed")
            let kept = try await stores.reader.records(of: type, revocationKey: "a")
            try expect(kept == [record], "nothing is revoked")
        },
        RevocationRecordsLaw("no event is lost among many writers") { stores in
            try await SampleChain().put(1, in: stores.writer, expecting: nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    let store = stores.all[number % stores.all.count]
                    group.addTask { try await append(BigInteger(1000 + number), to: store) }
                }
                try await group.waitForAll()
            }
            let update = try await stores.reader.accumulator(of: type, keyCounter: 3, lastEvents: 100)
            let events = try update?.events?.events() ?? []
            try expect(events.map(\.index) == Array(0...20), "one chain of 20 events")
            try expect(Set(events.map(\.prime)).count == 21, "each once")
        },
    ]

    /// Adds an event after those that are there, again each time another writer was first.
    private static func append(_ prime: BigInteger, to records: any RevocationRecords) async throws {
        while true {
            guard let update = try await records.accumulator(of: type, keyCounter: 3, lastEvents: 1),
                let last = try update.events?.events().last
            else { throw RevocationRecordsLawViolation(description: "an accumulator with its event") }
            let event = RevocationEvent(index: last.index + 1, prime: prime, parent: last.hash)
            let next = SignedAccumulator(data: event.hash.bytes, keyCounter: 3)
            do {
                return try await records.replace(
                    with: RevocationUpdate(signedAccumulator: next, events: try RevocationEventList([event])),
                    of: type,
                    keyCounter: 3,
                    expecting: update.signedAccumulator,
                    revoking: [],
                    at: 1
                )
            } catch let error as IRMAServerError where error.code == .conflict {
                continue
            }
        }
    }
}
