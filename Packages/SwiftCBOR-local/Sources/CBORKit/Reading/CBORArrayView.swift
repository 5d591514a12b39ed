/// The elements of an array, read when asked for.
public struct CBORArrayView: Sequence, Sendable {
    /// The array itself.
    public let view: CBORView

    /// The number of elements: known for a definite length, counted for an indefinite one.
    public var count: Int {
        let head = view.head
        guard head.isIndefinite else { return Int(truncatingIfNeeded: head.argument) }
        return view.tape.read { contents in
            contents.children(of: view.entry).reduce(into: 0) { count, _ in count += 1 }
        }
    }

    /// Indicates that there are no elements.
    public var isEmpty: Bool { makeIterator().isAtEnd }

    /// The first element, if any.
    public var first: CBORView? {
        var elements = makeIterator()
        return elements.next()
    }

    /// The element with an index, counted from 0; looks through those before it.
    ///
    /// - Throws: ``CBORError/Code/missingItem`` if there are not so many.
    public func element(at index: Int) throws(CBORError) -> CBORView {
        let entry: Int? = view.tape.read { contents in
            var elements = contents.children(of: view.entry)
            var count = 0
            while let element = elements.next() {
                if count == index { return element }
                count += 1
            }
            return nil
        }
        guard let entry else { throw CBORError(.missingItem, "the array has no element \(index)", at: view) }
        return view.sibling(entry)
    }

    /// Goes through the elements in order.
    public func makeIterator() -> Iterator { Iterator(items: ItemIterator(within: view)) }

    /// Goes through the elements of an array in order.
    public struct Iterator: IteratorProtocol {
        fileprivate var items: ItemIterator

        fileprivate var isAtEnd: Bool { items.isAtEnd }

        /// The next element, or nil after the last.
        public mutating func next() -> CBORView? { items.next() }
    }
}
