import CredentialServing

extension SessionStoreLaw {
    /// Laws of expiry.
    static let expiry: [SessionStoreLaw] = [
        SessionStoreLaw("returns no expired session by any key") { world in
            let entry = world.entry("a", secondary: ["b"], lifetime: 10)
            try await world.writer.insert(entry)
            world.time.advance(by: .milliseconds(9999))
            try expect(try await world.reader.entry(for: entry.key) == entry, "alive before its expiry")
            world.time.advance(by: .milliseconds(1))
            try expect(try await world.reader.entry(for: entry.key) == nil, "gone at its expiry")
            try expect(try await world.reader.entry(forSecondaryKey: SessionKey("b")) == nil, "gone at its expiry")
            try expect(try await world.writer.delete(entry.key) == false, "nothing to delete")
            var late = entry
            late.expiry = world.date(in: 60)
            try await expectRefusal(.notFound, "a swap that revives") { [late] in try await world.writer.swap(late) }
        },
        SessionStoreLaw("frees the keys of an expired session") { world in
            try await world.writer.insert(world.entry("a", secondary: ["b", "c"], lifetime: 10))
            world.time.advance(by: .seconds(10))
            let successor = world.entry("a", secondary: ["c"], value: [2])
            try await world.writer.insert(successor)
            try await world.writer.insert(world.entry("d", secondary: ["b"], value: [3]))
            try expect(try await world.reader.entry(forSecondaryKey: SessionKey("c")) == successor, "the successor")
            let found = try await world.reader.entry(forSecondaryKey: SessionKey("b"))
            try expect(found?.value == [3], "a session of another key")
            try await world.writer.delete(SessionKey("a"))
            try expect(try await world.reader.entry(forSecondaryKey: SessionKey("b")) == found, "still there")
        },
        SessionStoreLaw("moves the expiry with a swap") { world in
            var entry = world.entry("a", secondary: ["b"], lifetime: 10)
            try await world.writer.insert(entry)
            entry.expiry = world.date(in: 20)
            entry = try await world.writer.swap(entry)
            world.time.advance(by: .seconds(19))
            try expect(try await world.reader.entry(for: entry.key) == entry, "alive")
            try expect(try await world.reader.entry(forSecondaryKey: SessionKey("b")) == entry, "alive")
            entry.expiry = world.date(in: 0.5)
            entry = try await world.writer.swap(entry)
            world.time.advance(by: .milliseconds(500))
            try expect(try await world.reader.entry(for: entry.key) == nil, "gone before its first expiry")
        },
        SessionStoreLaw("ends the changes of an expired session without another state") { world in
            let key = SessionKey("a")
            try await world.writer.insert(world.entry("a", lifetime: 10))
            var changes = world.reader.changes(of: key).makeAsyncIterator()
            try expect(try await changes.next() != nil, "the state at first")
            world.time.advance(by: .seconds(10))
            try expect(try await changes.next() == nil, "the end, not a state")
            try expect(world.subscriptionCount() == 0, "no reader is left")
            var late = world.reader.changes(of: key).makeAsyncIterator()
            try expect(try await late.next() == nil, "no state of an expired session")
        },
        SessionStoreLaw("wakes a waiting reader when its session expires") { world in
            try await world.writer.insert(world.entry("a", lifetime: 10))
            let reader = world.reader
            let waiting = Task {
                var count = 0
                for try await _ in reader.changes(of: SessionKey("a")) {
                    count += 1
                    world.time.advance(by: .seconds(9))
                    // One more second passes while the reader waits.
                    Task { world.time.advance(by: .seconds(1)) }
                }
                return count
            }
            let states = try await world.ticking { try await waiting.value }
            try expect(states == 1, "one state and the end, found \(states)")
        },
    ]
}
