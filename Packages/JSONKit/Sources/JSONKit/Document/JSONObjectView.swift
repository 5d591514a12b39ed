/// The members of an object of a ``JSONDocument``.
public struct JSONObjectView: Sequence, Sendable {
    /// The object as a value.
    public let view: JSONView

    /// The number of members.
    public var count: Int { Int(view.item.count) }

    /// Indicates that there are no members.
    public var isEmpty: Bool { count == 0 }

    /// The value of the member whose name has the same UTF-8 bytes, or nil if absent.
    ///
    /// Members are found by walking from the first: to read them all, iterate.
    public subscript(name: String) -> JSONView? {
        view.tape.member(name, from: view.index + 1, to: Int(view.item.next))
            .map { JSONView(tape: view.tape, index: $0 + 1) }
    }

    /// The value of the member with this name.
    ///
    /// - Throws: ``JSONError/Code/missingMember`` if it is missing.
    public func required(_ name: String) throws(JSONError) -> JSONView {
        guard let value = self[name] else { throw .missingMember(name, in: view) }
        return value
    }

    /// The names in their order.
    public var names: [String] { map { $0.name } }

    /// Goes through the members in their order.
    public func makeIterator() -> Iterator {
        Iterator(tape: view.tape, position: view.index + 1, end: Int(view.item.next))
    }

    /// Goes through the members of an object.
    public struct Iterator: IteratorProtocol, Sendable {
        let tape: JSONTape
        var position: Int
        let end: Int

        /// The next member, or nil after the last.
        public mutating func next() -> (name: String, value: JSONView)? {
            guard position < end else { return nil }
            defer { position = Int(tape[position + 1].next) }
            return (tape.decodedString(at: position), JSONView(tape: tape, index: position + 1))
        }
    }
}
