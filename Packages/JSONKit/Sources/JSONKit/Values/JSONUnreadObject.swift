import Synchronization

/// An object of a checked text, whose members become values when one of them is asked for.
///
/// All copies of the object share what was made. It is a tape, of which it is the outermost value, or a place in one.
@safe
class JSONUnreadObject: @unchecked Sendable {
    // Sendable although the members change: one thread writes them before it sets `isMade`, and all read them after that.
    // For the same reason nothing else checks that access is exclusive.
    private let isMade = Atomic(false)
    /// Held while the members are made.
    private let making = Mutex(())
    @exclusivity(unchecked) private var made = JSONReadMembers()

    /// The tape and the index of the object in it; nil in this class, which is an empty object of no text.
    var place: (tape: JSONTape, index: Int)? { nil }

    /// Makes the members.
    func readMembers() -> [JSONObject.Entry] { [] }

    /// The number of members.
    final var count: Int { place.map { Int($0.tape[$0.index].count) } ?? 0 }

    /// Calls a closure with the members, made at the first call; they stay where they are as long as the object exists.
    @inline(__always)
    final func withMembers<Result>(_ body: (borrowing JSONReadMembers) -> Result) -> Result {
        if !isMade.load(ordering: .acquiring) { makeMembers() }
        return unsafe body(made)
    }

    /// The value of the member with a name.
    @inline(never)
    final func value(of name: String) -> JSONValue? {
        withMembers { $0.value(of: name) }
    }

    @inline(never)
    private func makeMembers() {
        making.withLock { _ in
            // Another thread may have made them while this one waited. Not relaxed, although the lock orders this, too: tools that
            // look for races do not see the lock.
            if isMade.load(ordering: .acquiring) { return }
            unsafe made = JSONReadMembers(readMembers())
            isMade.store(true, ordering: .releasing)
        }
    }
}

/// An object of a checked text, which keeps that text.
final class JSONInnerObject: JSONUnreadObject, @unchecked Sendable {
    // Sendable for the reason that its superclass is.
    private let tape: JSONTape
    private let index: Int

    /// Takes the object at an index of a tape.
    init(_ tape: JSONTape, at index: Int) {
        self.tape = tape
        self.index = index
    }

    override var place: (tape: JSONTape, index: Int)? { (tape, index) }

    override func readMembers() -> [JSONObject.Entry] { tape.members(of: index) }
}

/// The members of an object that was read, and the way to find them; noncopyable, so that they are lent, never retained.
struct JSONReadMembers: ~Copyable {
    let members: [JSONObject.Entry]
    /// The position of each name; nil in small objects.
    let positions: [JSONName: Int]?

    /// Those of no object.
    init() {
        members = []
        positions = nil
    }

    init(_ members: [JSONObject.Entry]) {
        self.members = members
        positions = members.count > JSONName.mostScanned ? JSONName.positions(of: members) : nil
    }

    /// The position of the member with a name.
    func position(of name: String) -> Int? {
        guard let positions else { return JSONObject.scan(members, for: name) }
        return positions[JSONName(name)]
    }

    /// The value of the member with a name.
    @inline(__always)
    func value(of name: String) -> JSONValue? {
        guard let position = position(of: name) else { return nil }
        return members[position].value
    }
}
