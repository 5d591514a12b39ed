/// Goes through the items directly within an array, map or string in chunks.
struct ItemIterator {
    private let tape: Tape
    private var entry: Int
    private let end: Int

    init(within view: CBORView) {
        tape = view.tape
        entry = view.entry + 1
        end = view.tape.read { $0.children(of: view.entry).end }
    }

    var isAtEnd: Bool { entry >= end }

    mutating func next() -> CBORView? {
        guard entry < end else { return nil }
        let view = CBORView(tape: tape, entry: entry)
        entry = tape.read { $0.next(after: entry) }
        return view
    }
}
