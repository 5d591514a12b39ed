/// Makes values of a tape's items.
///
/// All values of a small text are made at once: a message of a protocol mostly is read whole, and to wait would cost more than its
/// members. In a longer text the members of an object are made when one of them is asked for, those of a small object with all
/// objects inside.
struct JSONValueBuilder {
    /// The largest size of a small object or text in bytes.
    private static let smallSize = 4096
    /// The greatest nesting of objects that are made at once, one inside the other.
    private static let mostNested = 32

    private let tape: JSONTape
    private let items: JSONTapeItems

    private init(_ tape: JSONTape) {
        self.tape = tape
        items = tape.items
    }

    /// The value at an index of a tape; its depth has been checked.
    static func value(at index: Int, of tape: JSONTape) -> JSONValue {
        let builder = JSONValueBuilder(tape)
        let nested = tape.text.count <= smallSize ? mostNested : 0
        return tape.withText { builder.value(builder.items[index], at: index, nested: nested, $0) }
    }

    /// The members of the object at an index of a tape.
    static func members(at object: Int, of tape: JSONTape) -> [JSONObject.Entry] {
        let builder = JSONValueBuilder(tape)
        let item = builder.items[object]
        let nested = item.range.count <= smallSize ? mostNested : 0
        return tape.withText { builder.members(of: item, at: object, nested: nested, $0) }
    }

    /// The members of an object; the objects inside are made at once up to a nesting of `nested`.
    // Not inlined, nor is that of arrays: they would be inlined into each other again and again.
    @inline(never)
    private func members(
        of object: JSONTapeItem,
        at start: Int,
        nested: Int,
        _ text: Span<UInt8>
    ) -> [JSONObject.Entry] {
        var members: [JSONObject.Entry] = []
        members.reserveCapacity(Int(object.count))
        let end = Int(object.next)
        var index = start &+ 1
        while index < end {
            let item = items[index &+ 1]
            let name = JSONTapeItems.string(of: items[index], in: text)
            members.append(JSONObject.Entry(name: name, value: value(item, at: index &+ 1, nested: nested, text)))
            index = Int(item.next)
        }
        return members
    }

    @inline(__always)
    private func value(_ item: JSONTapeItem, at index: Int, nested: Int, _ text: Span<UInt8>) -> JSONValue {
        switch item.kind {
        case .null: .null
        case .true: .bool(true)
        case .false: .bool(false)
        case .integer, .number: .number(JSONNumber(valid: text.string(in: item.range)))
        case .string, .escapedString, .name, .escapedName: .string(JSONTapeItems.string(of: item, in: text))
        case .object: .object(object(item, at: index, nested: nested, text))
        case .array: .array(elements(of: item, at: index, nested: nested, text))
        }
    }

    @inline(__always)
    private func object(_ item: JSONTapeItem, at index: Int, nested: Int, _ text: Span<UInt8>) -> JSONObject {
        guard item.count > 0 else { return JSONObject() }
        guard nested > 0 else { return JSONObject(unread: JSONUnreadObject(tape, at: index)) }
        return JSONObject(distinct: members(of: item, at: index, nested: nested &- 1, text))
    }

    /// The elements of an array, with those of the arrays among them.
    @inline(never)
    private func elements(of array: JSONTapeItem, at start: Int, nested: Int, _ text: Span<UInt8>) -> [JSONValue] {
        // The arrays around the innermost one, and the indices where each of them ends.
        var outer: [(elements: [JSONValue], end: Int)] = []
        var elements: [JSONValue] = []
        elements.reserveCapacity(Int(array.count))
        var end = Int(array.next)
        var index = start + 1
        while true {
            while index < end {
                let item = items[index]
                guard item.kind == .array else {
                    elements.append(value(item, at: index, nested: nested, text))
                    index = Int(item.next)
                    continue
                }
                outer.append((elements, end))
                elements = []
                elements.reserveCapacity(Int(item.count))
                end = Int(item.next)
                index += 1
            }
            guard let (around, endAround) = outer.popLast() else { return elements }
            let inner = JSONValue.array(elements)
            (elements, end) = (around, endAround)
            elements.append(inner)
        }
    }
}

extension JSONTape {
    /// The value at an index, unless it is a container or a name.
    @inline(__always)
    func scalar(at index: Int) -> JSONValue? {
        let item = self[index]
        // A plain nil would be the value null.
        guard !item.isContainer, !item.isName else { return .none }
        return JSONValueBuilder.value(at: index, of: self)
    }
}
