import Synchronization

/// An object of a checked text, whose members become values when one of them is asked for.
///
/// All copies of the object share what was made. The values inside keep the text, of which an object that nothing asks
/// costs no more than its place there.
@safe
final class JSONUnreadObject: Sendable {
    let tape: JSONTape
    let index: Int
    /// The members once they are made; retained by the object.
    private let made = unsafe Atomic<Unmanaged<JSONReadMembers>?>(nil)

    /// Takes the object at an index of a tape.
    init(_ tape: JSONTape, at index: Int) {
        self.tape = tape
        self.index = index
    }

    /// The number of members.
    var count: Int { Int(tape[index].count) }

    deinit {
        unsafe made.load(ordering: .acquiring)?.release()
    }

    /// Calls a closure with the members, made at the first call, without counting a reference to them.
    @inline(__always)
    func withMembers<Result>(_ body: (JSONReadMembers) -> Result) -> Result {
        let members = unsafe made.load(ordering: .acquiring) ?? makeMembers()
        defer { extendLifetime(self) }
        return unsafe members._withUnsafeGuaranteedRef { body($0) }
    }

    @inline(never)
    private func makeMembers() -> Unmanaged<JSONReadMembers> {
        let new = unsafe Unmanaged.passRetained(JSONReadMembers(JSONValueBuilder.members(at: index, of: tape)))
        // Of several threads that make them at the same time, one stores what all of them return.
        let (_, earlier) = unsafe made.compareExchange(
            expected: nil,
            desired: new,
            ordering: .acquiringAndReleasing
        )
        guard let earlier = unsafe earlier else { return unsafe new }
        unsafe new.release()
        return unsafe earlier
    }
}

/// The members of an object that was read, and the way to find them.
final class JSONReadMembers: Sendable {
    let members: [JSONObject.Entry]
    /// The position of each name; empty in small objects.
    let positions: [JSONName: Int]

    init(_ members: [JSONObject.Entry]) {
        self.members = members
        positions = JSONName.positions(of: members)
    }

    /// The position of the member with a name.
    @inline(never)
    func position(of name: String) -> Int? {
        positions.isEmpty ? JSONObject.scan(members, for: name) : positions[JSONName(name)]
    }

    /// The value of the member with a name.
    @inline(never)
    func value(of name: String) -> JSONValue? {
        guard let position = position(of: name) else { return nil }
        return members[position].value
    }
}
