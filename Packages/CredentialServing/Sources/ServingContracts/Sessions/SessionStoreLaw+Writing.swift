import CredentialServing

extension SessionStoreLaw {
    /// Laws of insertion, swap and deletion.
    static let writing: [SessionStoreLaw] = [
        SessionStoreLaw("returns what was inserted, by every key") { world in
            let entry = world.entry("a", secondary: ["b", "c"], value: Array(0...255))
            try await world.writer.insert(entry)
            try expect(try await world.reader.entry(for: SessionKey("a")) == entry, "found by its key")
            for key in ["b", "c"] {
                let found = try await world.reader.entry(forSecondaryKey: SessionKey(key))
                try expect(found == entry, "found by its secondary key")
            }
            try expect(try await world.reader.entry(for: SessionKey("d")) == nil, "an unknown key finds nothing")
        },
        SessionStoreLaw("keeps empty and largest values and keys") { world in
            let limits = world.writer.limits
            let key = SessionKey(bytes: (0..<limits.maximumKeySize).map { UInt8(truncatingIfNeeded: $0) })
            var entry = SessionEntry(key: key, value: [], expiry: world.date(in: 3600))
            try await world.writer.insert(entry)
            try expect(try await world.reader.entry(for: key) == entry, "an empty value")
            entry.value = Array(repeating: 7, count: limits.maximumValueSize)
            let swapped = try await world.writer.swap(entry)
            try expect(try await world.reader.entry(for: key) == swapped, "the largest value")
            try expect(swapped.value == entry.value, "the value that was given")
        },
        SessionStoreLaw("compares keys as bytes") { world in
            try await world.writer.insert(world.entry("\u{e9}", value: [1]))
            try await world.writer.insert(world.entry("e\u{301}", value: [2]))
            let values = [
                try await world.reader.entry(for: SessionKey("\u{e9}"))?.value,
                try await world.reader.entry(for: SessionKey("e\u{301}"))?.value,
            ]
            try expect(values == [[1], [2]], "canonically equivalent keys differ")
        },
        SessionStoreLaw("separates keys from secondary keys") { world in
            try await world.writer.insert(world.entry("a", secondary: ["b"]))
            try expect(try await world.reader.entry(forSecondaryKey: SessionKey("a")) == nil, "a key is no secondary")
            try expect(try await world.reader.entry(for: SessionKey("b")) == nil, "a secondary key is no key")
            try await world.writer.insert(world.entry("b", secondary: ["a"]))
        },
        SessionStoreLaw("loses no update of 64 writers") { world in
            let key = SessionKey("counter")
            try await world.writer.insert(world.entry("counter", value: [0]))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<64 {
                    let store = world.stores[index % world.stores.count]
                    group.addTask {
                        for _ in 0..<2 { _ = try await store.update(key, attempts: 1024) { $0.value[0] += 1 } }
                    }
                }
                try await group.waitForAll()
            }
            let entry = try await world.reader.entry(for: key)
            try expect(entry?.value == [128], "128 increments, found \(entry?.value ?? [])")
            try expect(entry?.version.number == 129, "129 versions")
        },
        SessionStoreLaw("lets one of 64 concurrent swaps win") { world in
            let entry = world.entry("a")
            try await world.writer.insert(entry)
            let wins = try await winners(of: 64) { index in
                try await world.stores[index % world.stores.count].swap(entry)
            }
            try expect(wins == 1, "one winner, found \(wins)")
        },
        SessionStoreLaw("lets one of 64 concurrent insertions win") { world in
            let wins = try await winners(of: 64) { index in
                let store = world.stores[index % world.stores.count]
                try await store.insert(world.entry("a", secondary: ["b\(index)"], value: [UInt8(index)]))
            }
            try expect(wins == 1, "one winner of a key, found \(wins)")
            let secondaryWins = try await winners(of: 64) { index in
                let store = world.stores[index % world.stores.count]
                try await store.insert(world.entry("c\(index)", secondary: ["d"]))
            }
            try expect(secondaryWins == 1, "one winner of a secondary key, found \(secondaryWins)")
        },
        SessionStoreLaw("makes versions grow") { world in
            var entry = world.entry("a")
            try await world.writer.insert(entry)
            for number in 2...20 as ClosedRange<UInt64> {
                let swapped = try await world.stores[Int(number) % world.stores.count].swap(entry)
                try expect(swapped.version == (try entry.version.next()), "the next version")
                try expect(swapped.version.number == number, "version \(number)")
                try expect(try await world.reader.entry(for: entry.key)?.version == swapped.version, "as stored")
                entry = swapped
            }
        },
        SessionStoreLaw("frees the keys of a deleted session") { world in
            let entry = world.entry("a", secondary: ["b"])
            try await world.writer.insert(entry)
            try expect(try await world.writer.delete(entry.key), "deleted")
            try expect(try await world.reader.entry(forSecondaryKey: SessionKey("b")) == nil, "not found any more")
            try expect(try await world.writer.delete(entry.key) == false, "nothing to delete")
            try await world.writer.insert(world.entry("a", value: [2]))
            try await world.writer.insert(world.entry("c", secondary: ["b"], value: [3]))
            let found = try await world.reader.entry(forSecondaryKey: SessionKey("b"))
            try expect(found?.value == [3], "the secondary key leads to its new session")
        },
    ]

    /// The number of calls that were not refused as second.
    private static func winners<Value: Sendable>(
        of count: Int,
        _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<count {
                group.addTask {
                    do {
                        _ = try await body(index)
                        return 1
                    } catch let error as SessionStoreError
                        where [.conflict, .keyExists, .secondaryKeyExists].contains(error.code)
                    {
                        return 0
                    }
                }
            }
            return try await group.reduce(0, +)
        }
    }
}
