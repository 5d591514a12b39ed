extension CBORView {
    /// The elements of an array.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for other kinds.
    public func array() throws(CBORError) -> CBORArrayView {
        guard initialByte >> 5 == 4 else { throw .typeMismatch(expected: "array", at: self) }
        return CBORArrayView(view: self)
    }

    /// The elements of an array that must have exactly so many.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for other kinds, ``CBORError/Code/missingItem`` or
    ///   ``CBORError/Code/unexpectedItem`` for another number of elements.
    public func array(count: Int) throws(CBORError) -> CBORArrayView {
        let array = try array()
        let found = array.count
        guard found != count else { return array }
        let message = "an array of \(count) elements was expected, found \(found)"
        throw CBORError(found < count ? .missingItem : .unexpectedItem, message, at: self)
    }

    /// The pairs of a map.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for other kinds.
    public func map() throws(CBORError) -> CBORMapView {
        guard initialByte >> 5 == 5 else { throw .typeMismatch(expected: "map", at: self) }
        return CBORMapView(view: self)
    }

    /// Indicates that the array, map or string was written with an indefinite length.
    public var isIndefinite: Bool {
        let initial = initialByte
        return initial & 0x1f == 31 && initial >> 5 >= 2
    }
}

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
