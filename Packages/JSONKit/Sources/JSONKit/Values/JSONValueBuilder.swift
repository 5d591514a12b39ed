/// Builds values from a tape, from its end to its start: what is inside a container is complete before it, without
/// recursion.
struct JSONValueBuilder {
    private let tape: JSONTape
    /// The values that belong to containers still to come, and the names; the first of each last.
    private var values: [JSONValue] = []
    private var names: [String] = []

    private init(tape: JSONTape, items: Int) {
        self.tape = tape
        // Small values need no more, and large ones mostly far less than they have items.
        values.reserveCapacity(min(items, 32))
        names.reserveCapacity(min(items / 2, 16))
    }

    /// The value at an index of a tape; its depth has been checked.
    static func value(at root: Int, of tape: JSONTape) -> JSONValue {
        if let object = flatObject(at: root, of: tape) { return .object(object) }
        let end = Int(tape[root].next)
        var builder = JSONValueBuilder(tape: tape, items: end - root)
        var index = end - 1
        while index >= root {
            builder.add(tape[index], at: index)
            index -= 1
        }
        return builder.values.removeLast()
    }

    /// The object at an index whose values are all scalars; nil for any other value.
    ///
    /// Headers, keys and claims mostly are such objects: their members are built where they stay.
    private static func flatObject(at root: Int, of tape: JSONTape) -> JSONObject? {
        let item = tape[root]
        let count = Int(item.count)
        // Each member has a name and a value.
        guard item.kind == .object, Int(item.next) == root + 1 + 2 * count else { return nil }
        var members: [JSONObject.Entry] = []
        members.reserveCapacity(count)
        for name in stride(from: root + 1, to: Int(item.next), by: 2) {
            guard let value = tape.scalar(at: name + 1) else { return nil }
            members.append(JSONObject.Entry(name: tape.decodedString(at: name), value: value))
        }
        return JSONObject(distinct: members)
    }

    private mutating func add(_ item: JSONTapeItem, at index: Int) {
        switch item.kind {
        case .name, .escapedName: names.append(tape.decodedString(at: index))
        case .array: values.append(.array(takeElements(Int(item.count))))
        case .object: values.append(.object(JSONObject(distinct: takeMembers(Int(item.count)))))
        default: if let scalar = tape.scalar(at: index) { values.append(scalar) }
        }
    }

    private mutating func takeElements(_ count: Int) -> [JSONValue] {
        var elements: [JSONValue] = []
        elements.reserveCapacity(count)
        for _ in 0..<count { elements.append(values.removeLast()) }
        return elements
    }

    private mutating func takeMembers(_ count: Int) -> [JSONObject.Entry] {
        var members: [JSONObject.Entry] = []
        members.reserveCapacity(count)
        for _ in 0..<count { members.append(JSONObject.Entry(name: names.removeLast(), value: values.removeLast())) }
        return members
    }
}

extension JSONTape {
    /// The value at an index, unless it is a container or a name.
    @inline(__always)
    func scalar(at index: Int) -> JSONValue? {
        let item = self[index]
        switch item.kind {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .integer, .number: return .number(JSONNumber(valid: string(in: item.range)))
        case .string, .escapedString: return .string(decodedString(at: index))
        case .name, .escapedName, .array, .object: return nil
        }
    }
}
