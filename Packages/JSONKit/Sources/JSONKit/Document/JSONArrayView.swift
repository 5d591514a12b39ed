/// The elements of an array of a ``JSONDocument``.
public struct JSONArrayView: Sequence, Sendable {
    /// The array as a value.
    public let view: JSONView

    /// The number of elements.
    public var count: Int { Int(view.item.count) }

    /// Indicates that there are no elements.
    public var isEmpty: Bool { count == 0 }

    /// The element at an index, counted from 0, or nil if absent.
    ///
    /// Elements are found by walking from the first: to read them all, iterate.
    public subscript(index: Int) -> JSONView? {
        guard 0..<count ~= index else { return nil }
        var item = view.index + 1
        for _ in 0..<index { item = Int(view.tape[item].next) }
        return JSONView(tape: view.tape, index: item)
    }

    /// The element at an index, counted from 0.
    ///
    /// - Throws: ``JSONError/Code/missingElement`` if it is missing.
    public func element(at index: Int) throws(JSONError) -> JSONView {
        guard let element = self[index] else {
            throw JSONError(.missingElement, "no element \(index) among \(count)", at: view)
        }
        return element
    }

    /// Goes through the elements in their order.
    public func makeIterator() -> Iterator {
        Iterator(tape: view.tape, position: view.index + 1, end: Int(view.item.next))
    }

    /// Goes through the elements of an array.
    public struct Iterator: IteratorProtocol, Sendable {
        let tape: JSONTape
        var position: Int
        let end: Int

        /// The next element, or nil after the last.
        public mutating func next() -> JSONView? {
            guard position < end else { return nil }
            defer { position = Int(tape[position].next) }
            return JSONView(tape: tape, index: position)
        }
    }
}
