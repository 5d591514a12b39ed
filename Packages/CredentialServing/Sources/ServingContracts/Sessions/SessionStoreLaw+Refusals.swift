import CredentialServing

extension SessionStoreLaw {
    /// Laws of refusals.
    static let refusals: [SessionStoreLaw] = [
        SessionStoreLaw("refuses an existing key and keeps its session") { world in
            let entry = world.entry("a", secondary: ["b"])
            try await world.writer.insert(entry)
            try await expectRefusal(.keyExists, "an existing key") {
                try await world.writer.insert(world.entry("a", secondary: ["c"], value: [2]))
            }
            try expect(try await world.reader.entry(for: entry.key) == entry, "the session is as it was")
            try expect(try await world.reader.entry(forSecondaryKey: SessionKey("c")) == nil, "no trace of the other")
        },
        SessionStoreLaw("refuses an existing secondary key and leaves no trace") { world in
            let entry = world.entry("a", secondary: ["b"])
            try await world.writer.insert(entry)
            try await expectRefusal(.secondaryKeyExists, "an existing secondary key") {
                try await world.writer.insert(world.entry("c", secondary: ["d", "b"]))
            }
            try expect(try await world.reader.entry(for: SessionKey("c")) == nil, "no session was inserted")
            try await world.writer.insert(world.entry("e", secondary: ["d"]))
            try expect(try await world.reader.entry(forSecondaryKey: SessionKey("b")) == entry, "as it was")
        },
        SessionStoreLaw("refuses to swap another version") { world in
            let entry = world.entry("a")
            try await world.writer.insert(entry)
            let swapped = try await world.writer.swap(entry)
            try await expectRefusal(.conflict, "a version that is past") { try await world.writer.swap(entry) }
            let ahead = swapped.with(version: try swapped.version.next())
            try await expectRefusal(.conflict, "a version to come") { try await world.writer.swap(ahead) }
            try expect(try await world.reader.entry(for: entry.key) == swapped, "the session is as it was")
        },
        SessionStoreLaw("refuses to swap what was deleted, and what came after it") { world in
            let entry = world.entry("a")
            try await expectRefusal(.notFound, "no session") { try await world.writer.swap(entry) }
            try await world.writer.insert(entry)
            try await world.writer.delete(entry.key)
            try await expectRefusal(.notFound, "a deleted session") { try await world.writer.swap(entry) }
            try await world.writer.insert(world.entry("a", value: [2]))
            try await expectRefusal(.conflict, "a later session") { try await world.writer.swap(entry) }
            try await expectRefusal(.conflict, "a later session") {
                try await world.writer.delete(entry.key, version: entry.version)
            }
            try await expectRefusal(.notFound, "an update without a session") {
                try await world.writer.update(SessionKey("b")) { $0.value = [] }
            }
        },
        SessionStoreLaw("deletes only the version that was asked for") { world in
            let entry = world.entry("a")
            try await world.writer.insert(entry)
            let swapped = try await world.writer.swap(entry)
            try await expectRefusal(.conflict, "another version") {
                try await world.writer.delete(entry.key, version: entry.version)
            }
            try expect(try await world.writer.delete(entry.key, version: swapped.version), "deleted")
            try expect(try await world.writer.delete(entry.key, version: swapped.version) == false, "once")
        },
        SessionStoreLaw("refuses what is beyond the limits") { world in
            let limits = world.writer.limits
            let long = String(repeating: "k", count: limits.maximumKeySize + 1)
            let many = (0...limits.maximumSecondaryKeys).map { "s\($0)" }
            let large = Array(repeating: UInt8(0), count: limits.maximumValueSize + 1)
            for (code, entry) in [
                (SessionStoreError.Code.invalidKey, world.entry("")),
                (.invalidKey, world.entry("a", secondary: [""])),
                (.invalidKey, world.entry("a", secondary: ["b", "b"])),
                (.tooLarge, world.entry(long)),
                (.tooLarge, world.entry("a", secondary: [long])),
                (.tooLarge, world.entry("a", secondary: many)),
                (.tooLarge, world.entry("a", value: large)),
                (.invalidExpiry, world.entry("a", lifetime: 0)),
                (.invalidVersion, world.entry("a").with(version: SessionVersion(generation: 1, number: 2))),
            ] {
                try await expectRefusal(code, "insertion of \(entry)") { try await world.writer.insert(entry) }
            }
            var entry = world.entry("a", secondary: Array(many.dropLast()))
            try await world.writer.insert(entry)
            entry.expiry = world.date(in: 0)
            try await expectRefusal(.invalidExpiry, "a swap") { [entry] in try await world.writer.swap(entry) }
            entry.expiry = world.date(in: 1)
            entry.value = large
            try await expectRefusal(.tooLarge, "a swap") { [entry] in try await world.writer.swap(entry) }
        },
        SessionStoreLaw("refuses everything after it is closed") { world in
            let entry = world.entry("a")
            try await world.writer.insert(entry)
            await world.writer.close()
            await world.writer.close()
            try await expectRefusal(.closed, "insertion") { try await world.writer.insert(entry) }
            try await expectRefusal(.closed, "reading") { try await world.writer.entry(for: entry.key) }
            try await expectRefusal(.closed, "reading") { try await world.writer.entry(forSecondaryKey: entry.key) }
            try await expectRefusal(.closed, "a swap") { try await world.writer.swap(entry) }
            try await expectRefusal(.closed, "deletion") { try await world.writer.delete(entry.key) }
            try await expectRefusal(.closed, "a check") { try await world.writer.check() }
        },
    ]
}
