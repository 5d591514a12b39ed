/// Finds the members of one object by name, fast in the order in which they stand.
struct JSONMemberLookup {
    /// Above this many members names are looked up through `names`.
    private static let mostScanned = 32

    private let tape: JSONTape
    private let first: Int
    private let end: Int
    /// The name that was found last; what is asked for next is likely that again or the one after it.
    private var last: Int
    /// The item of each name, made when it is first needed.
    private var names: [JSONName: Int] = [:]

    init(tape: JSONTape, object: Int) {
        self.tape = tape
        first = object + 1
        end = Int(tape[object].next)
        last = first
    }

    /// The item of a name.
    mutating func find(_ name: String) -> Int? {
        guard first < end, let found = findNearby(name) ?? findAnywhere(name) else { return nil }
        last = found
        return found
    }

    private func findNearby(_ name: String) -> Int? {
        let next = Int(tape[last + 1].next)
        let afterNext = next < end ? Int(tape[next + 1].next) : end
        return tape.member(name, from: last, to: afterNext)
    }

    private mutating func findAnywhere(_ name: String) -> Int? {
        guard tape[first - 1].count > Self.mostScanned else { return tape.member(name, from: first, to: end) }
        if names.isEmpty { indexNames() }
        return names[JSONName(name)]
    }

    private mutating func indexNames() {
        var name = first
        while name < end {
            names[JSONName(tape.decodedString(at: name))] = name
            name = Int(tape[name + 1].next)
        }
    }
}
