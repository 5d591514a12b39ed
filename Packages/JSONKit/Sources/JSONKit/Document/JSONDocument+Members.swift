// A position that is handed in must be one of the document's own; that of a member is the position of its value.
extension JSONDocument {
    /// The number of elements of the array, or of members of the object, at a position; 0 for anything else.
    @_spi(Layers) public func count(at position: JSONPosition) -> Int {
        Int(tape[position.index].count)
    }

    /// The value of the first member of the object at a position; nil for an object without members, and for anything but
    /// an object.
    @_spi(Layers) public func firstMember(of object: JSONPosition) -> JSONPosition? {
        let item = tape[object.index]
        return item.kind == .object && item.count > 0 ? JSONPosition(index: object.index + 2) : nil
    }

    /// The value of the member of an object after another one; nil after the last.
    @_spi(Layers) public func member(after member: JSONPosition, in object: JSONPosition) -> JSONPosition? {
        let next = tape[member.index].next
        return next < tape[object.index].next ? JSONPosition(index: Int(next) + 1) : nil
    }

    /// The value of the member of an object whose name has the same UTF-8 bytes; nil if absent, and for anything
    /// but an object.
    @_spi(Layers) public func member(_ name: String, of object: JSONPosition) -> JSONPosition? {
        let item = tape[object.index]
        guard item.kind == .object else { return nil }
        return tape.member(name, from: object.index + 1, to: Int(item.next)).map { JSONPosition(index: $0 + 1) }
    }

    /// The name of the member whose value is at a position; an empty text for a value that is not a member.
    @_spi(Layers) public func name(ofMemberAt position: JSONPosition) -> String {
        tape.isMember(position.index) ? tape.decodedString(at: position.index - 1) : ""
    }

    /// The members with a name at any depth of the value at a position, in the order of the text.
    @_spi(Layers) public func members(named name: String, inside position: JSONPosition) -> [JSONPosition] {
        tape.names(name, inside: position.index).map { JSONPosition(index: $0 + 1) }
    }

    /// The positions of the value at a position and of all that is inside it.
    @_spi(Layers) public func extent(of position: JSONPosition) -> Range<JSONPosition> {
        position..<JSONPosition(index: Int(tape[position.index].next))
    }

    /// The nesting depth of the value at a position, itself counted: 0 for a value that is neither array nor object.
    ///
    /// The depth of the whole text is stored; a part of it is scanned.
    @_spi(Layers) public func depth(at position: JSONPosition) -> Int {
        tape.depth(at: position.index)
    }
}
