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
    private let made = unsafe Atomic<Unmanaged<Content>?>(nil)

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

    /// The members, made at the first call.
    @inline(__always)
    var content: Content {
        if let made = unsafe made.load(ordering: .acquiring) { return unsafe made.takeUnretainedValue() }
        return makeContent()
    }

    @inline(never)
    private func makeContent() -> Content {
        let new = unsafe Unmanaged.passRetained(Content(JSONValueBuilder.members(at: index, of: tape)))
        // Of several threads that make them at the same time, one stores what all of them return.
        let (_, earlier) = unsafe made.compareExchange(
            expected: nil,
            desired: new,
            ordering: .acquiringAndReleasing
        )
        guard let earlier = unsafe earlier else { return unsafe new.takeUnretainedValue() }
        unsafe new.release()
        return unsafe earlier.takeUnretainedValue()
    }

    /// The members of an object, and the way to find them.
    final class Content: Sendable {
        let members: [JSONObject.Entry]
        /// The position of each name; empty in small objects.
        let positions: [JSONName: Int]

        init(_ members: [JSONObject.Entry]) {
            self.members = members
            positions = JSONName.positions(of: members)
        }
    }
}
