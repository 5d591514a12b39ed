import Synchronization

/// An object of a checked text, whose members become values when one of them is asked for.
///
/// All copies of the object share what was made. The values inside keep the text, of which an object that nothing asks
/// costs no more than its place there.
@safe
final class JSONUnreadObject: @unchecked Sendable {
    // Sendable although `made` changes: once, under the lock, and it is read only after `isMade` says that it has.

    /// The members of an object, and the way to find them.
    struct Content {
        let members: [JSONObject.Entry]
        /// The position of each name; empty in small objects.
        let positions: [JSONName: Int]

        init(_ members: [JSONObject.Entry]) {
            self.members = members
            positions = JSONName.positions(of: members)
        }
    }

    let tape: JSONTape
    let index: Int
    private let isMade = Atomic(false)
    private let lock = Mutex(())
    /// The members, once `isMade` is true.
    private var made = Content([])

    /// Takes the object at an index of a tape.
    init(_ tape: JSONTape, at index: Int) {
        self.tape = tape
        self.index = index
    }

    /// The number of members.
    var count: Int { Int(tape[index].count) }

    /// The members, made at the first call.
    @inline(__always)
    var content: Content {
        if !isMade.load(ordering: .acquiring) { makeContent() }
        return made
    }

    @inline(never)
    private func makeContent() {
        lock.withLock { _ in
            guard !isMade.load(ordering: .relaxed) else { return }
            made = Content(JSONValueBuilder.members(at: index, of: tape))
            isMade.store(true, ordering: .releasing)
        }
    }
}
