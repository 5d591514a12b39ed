import CredentialServing
import Synchronization

extension SessionStoreLaw {
    /// Laws of notification.
    static let changes: [SessionStoreLaw] = [
        SessionStoreLaw("notifies after the commit and never before") { world in
            let key = SessionKey("a")
            try await world.writer.insert(world.entry("a", value: [1]))
            let seen = Task {
                var last: SessionEntry?
                for try await entry in world.reader.changes(of: key) {
                    let stored = try await world.reader.entry(for: key)
                    try expect((stored?.version.number ?? 0) >= entry.version.number, "a state that is committed")
                    try expect(last.map { entry.version.isLater(than: $0.version) } ?? true, "versions in order")
                    try expect(entry.value == [UInt8(entry.version.number)], "the value of its version")
                    last = entry
                    if entry.value == [50] { break }
                }
                return last?.value
            }
            for _ in 2...50 { _ = try await world.writer.update(key) { $0.value[0] += 1 } }
            let last = try await world.ticking { try await seen.value }
            try expect(last == [50], "the latest state")
        },
        SessionStoreLaw("shows the latest state to a slow reader") { world in
            let key = SessionKey("a")
            try await world.writer.insert(world.entry("a", value: [1]))
            var changes = world.writer.changes(of: key).makeAsyncIterator()
            try expect(try await changes.next()?.value == [1], "the state at first")
            for _ in 2...50 { _ = try await world.writer.update(key) { $0.value[0] += 1 } }
            try expect(try await changes.next()?.value == [50], "the latest state")
        },
        SessionStoreLaw("shows only what is later than a known version") { world in
            let entry = world.entry("a", value: [1])
            try await world.writer.insert(entry)
            let swapped = try await world.writer.swap(entry)
            var changes = world.writer.changes(of: entry.key, after: entry.version).makeAsyncIterator()
            try expect(try await changes.next() == swapped, "the state after it")
            try await expectRefusal(.conflict, "a second swap") { try await world.writer.swap(entry) }
            let third = try await world.writer.swap(swapped)
            try expect(try await changes.next() == third, "no state for a refused swap")
        },
        SessionStoreLaw("wakes waiting readers of all instances") { world in
            let key = SessionKey("a")
            try await world.writer.insert(world.entry("a", value: [1]))
            let first = Meeting(count: 10)
            try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for index in 0..<10 {
                    let store = world.stores[index % world.stores.count]
                    group.addTask {
                        var values: [UInt8] = []
                        for try await entry in store.changes(of: key) {
                            values += entry.value
                            if values.count == 1 { first.arrive() }
                        }
                        return values
                    }
                }
                await first.wait()
                _ = try await world.writer.update(key) { $0.value = [2] }
                try await world.ticking {
                    var late = world.reader.changes(of: key, after: nil).makeAsyncIterator()
                    _ = try await late.next()
                }
                try await world.writer.delete(key)
                let ticker = Task {
                    while !Task.isCancelled {
                        world.time.tick()
                        await Task.yield()
                    }
                }
                defer { ticker.cancel() }
                for try await values in group {
                    try expect(values == [1, 2] || values == [1], "states in order, found \(values)")
                }
            }
            try expect(world.subscriptionCount() == 0, "no reader is left after the deletion")
        },
        SessionStoreLaw("ends the changes of a deleted session, even if another follows") { world in
            let key = SessionKey("a")
            try await world.writer.insert(world.entry("a", value: [1]))
            var changes = world.writer.changes(of: key).makeAsyncIterator()
            try expect(try await changes.next()?.value == [1], "the state at first")
            try await world.writer.delete(key)
            try await world.writer.insert(world.entry("a", value: [2]))
            try expect(try await changes.next() == nil, "the end, not a state of the other session")
            var absent = world.writer.changes(of: SessionKey("b")).makeAsyncIterator()
            try expect(try await absent.next() == nil, "no states without a session")
        },
        SessionStoreLaw("leaves nothing of a cancelled reader behind") { world in
            try await world.writer.insert(world.entry("a"))
            let first = Meeting(count: 100)
            let reader = world.reader
            let tasks = (0..<100).map { _ in
                Task {
                    for try await _ in reader.changes(of: SessionKey("a")) { first.arrive() }
                }
            }
            await first.wait()
            try expect(world.subscriptionCount() == 100, "100 readers")
            for task in tasks { task.cancel() }
            for task in tasks { try await task.value }
            try expect(world.subscriptionCount() == 0, "none of them is left")
        },
        SessionStoreLaw("ends all changes when it is closed") { world in
            try await world.writer.insert(world.entry("a"))
            let first = Meeting(count: 10)
            let reader = world.reader
            let tasks = (0..<10).map { _ in
                Task {
                    for try await _ in reader.changes(of: SessionKey("a")) { first.arrive() }
                }
            }
            await first.wait()
            await reader.close()
            for task in tasks { try await task.value }
            try expect(world.subscriptionCount() == 0, "no reader is left")
        },
    ]
}

/// A point that a number of tasks must reach.
final class Meeting: Sendable {
    private let arrivals = AsyncStream.makeStream(of: Void.self)
    private let count: Int

    init(count: Int) {
        self.count = count
    }

    func arrive() {
        arrivals.continuation.yield()
    }

    func wait() async {
        var rest = count
        for await _ in arrivals.stream {
            rest -= 1
            if rest == 0 { return }
        }
    }
}
