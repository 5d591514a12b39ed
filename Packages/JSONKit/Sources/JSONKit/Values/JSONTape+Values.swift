// What is made at once costs more than what waits, if nothing asks for it, and less if something does.
extension JSONTape {
    /// The largest size of a small text or object in bytes.
    private static let smallSize = 4096
    /// The greatest nesting of objects that are made at once, one inside the other.
    private static let mostNested = 32

    /// The value that the text consists of; of an object the members wait until they are asked for.
    func root() -> JSONValue {
        let item = self[0]
        return item.kind == .object && item.count > 0 ? .object(JSONObject(unread: unreadObject(at: 0))) : value(at: 0)
    }

    /// The value at an index, whose depth has been checked: in a small text with all that is inside it.
    func value(at index: Int) -> JSONValue {
        withText { value(self[index], at: index, nested: Self.nesting(for: $0.count), $0) }
    }

    /// The members of the object at an index: of a small one with all that is inside them.
    func members(of object: Int) -> [JSONObject.Entry] {
        let item = self[object]
        return withText { members(of: item, at: object, nested: Self.nesting(for: item.range.count), $0) }
    }

    /// The value at an index, unless it is a container or a name.
    @inline(__always)
    func scalar(at index: Int) -> JSONValue? {
        let item = self[index]
        // A plain nil would be the value null.
        guard !item.isContainer, !item.isName else { return .none }
        return withText { value(item, at: index, nested: 0, $0) }
    }

    /// The number of levels of objects to make at once in so many bytes.
    private static func nesting(for size: Int) -> Int { size <= smallSize ? mostNested : 0 }

    /// The object at an index, whose members wait until they are asked for.
    ///
    /// The tape itself is that object only if none inside waits: they would keep the tape, and it them.
    @inline(__always)
    private func unreadObject(at index: Int) -> JSONUnreadObject {
        let isMadeAtOnce = text.count <= Self.smallSize && greatestDepth <= Self.mostNested
        return index == 0 && isMadeAtOnce ? self : JSONInnerObject(self, at: index)
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
        let items = items
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
        guard nested > 0 else { return JSONObject(unread: unreadObject(at: index)) }
        return JSONObject(distinct: members(of: item, at: index, nested: nested &- 1, text))
    }

    /// The elements of an array, with those of the arrays among them.
    @inline(never)
    private func elements(of array: JSONTapeItem, at start: Int, nested: Int, _ text: Span<UInt8>) -> [JSONValue] {
        let items = items
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
