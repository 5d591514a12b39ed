/// Makes values of a tape's items.
///
/// Scalars and arrays are made at once, and so are the objects of a short text, which mostly is read whole. Those of any other text
/// are made when one of their members is asked for.
enum JSONValueBuilder {
    /// The first size in bytes of a text that isn't short.
    private static let shortText = 4096
    /// The greatest nesting of a short text whose objects are made at once, one inside the other.
    private static let shortDepth = 32

    /// The value at an index of a tape; its depth has been checked.
    static func value(at index: Int, of tape: JSONTape) -> JSONValue {
        tape.withText { value(tape.items[index], at: index, of: tape, $0) }
    }

    /// The members of the object at an index of a tape.
    static func members(at object: Int, of tape: JSONTape) -> [JSONObject.Entry] {
        tape.withText { text in
            var members: [JSONObject.Entry] = []
            let items = tape.items
            members.reserveCapacity(Int(items[object].count))
            let end = Int(items[object].next)
            var index = object + 1
            while index < end {
                let item = items[index + 1]
                let value = value(item, at: index + 1, of: tape, text)
                members.append(JSONObject.Entry(name: tape.string(items[index], in: text), value: value))
                index = Int(item.next)
            }
            return members
        }
    }

    @inline(__always)
    private static func value(
        _ item: JSONTapeItem,
        at index: Int,
        of tape: JSONTape,
        _ text: Span<UInt8>
    ) -> JSONValue {
        switch item.kind {
        case .null: .null
        case .true: .bool(true)
        case .false: .bool(false)
        case .integer, .number: .number(JSONNumber(valid: text.string(in: item.range)))
        case .string, .escapedString, .name, .escapedName: .string(tape.string(item, in: text))
        case .object: .object(object(item, at: index, of: tape, text))
        case .array: .array(elements(of: item, at: index, of: tape, text))
        }
    }

    private static func object(
        _ item: JSONTapeItem,
        at index: Int,
        of tape: JSONTape,
        _ text: Span<UInt8>
    ) -> JSONObject {
        guard item.count > 0 else { return JSONObject() }
        guard text.count < shortText, tape.greatestDepth <= shortDepth else {
            return JSONObject(unread: JSONUnreadObject(tape, at: index))
        }
        return JSONObject(distinct: members(at: index, of: tape))
    }

    /// The elements of an array, with those of the arrays among them.
    private static func elements(
        of array: JSONTapeItem,
        at start: Int,
        of tape: JSONTape,
        _ text: Span<UInt8>
    ) -> [JSONValue] {
        // The arrays around the innermost one, and the indices where each of them ends.
        var outer: [(elements: [JSONValue], end: Int)] = []
        var elements: [JSONValue] = []
        elements.reserveCapacity(Int(array.count))
        var end = Int(array.next)
        var index = start + 1
        let items = tape.items
        while true {
            while index < end {
                let item = items[index]
                guard item.kind == .array else {
                    elements.append(value(item, at: index, of: tape, text))
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
