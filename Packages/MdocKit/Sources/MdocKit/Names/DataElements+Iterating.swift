extension DataElements: Sequence {
    /// A namespace with its elements.
    public typealias Element = (nameSpace: NameSpace, elements: Group)

    /// Iterates over the namespaces, in the order in which they were read or added.
    ///
    /// ```swift
    /// for (nameSpace, elements) in itemsRequest.nameSpaces {
    ///     for (identifier, intentToRetain) in elements { print(nameSpace, identifier, intentToRetain) }
    /// }
    /// ```
    public func makeIterator() -> some IteratorProtocol<(nameSpace: NameSpace, elements: Group)> {
        groups.lazy.map { (nameSpace: $0.nameSpace, elements: $0) }.makeIterator()
    }
}

extension DataElements.Group: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }
    /// The number of elements in the namespace.
    public var endIndex: Int { elements.count }

    /// An element with its value, in the order in which it was read or added.
    public subscript(position: Int) -> (identifier: DataElementIdentifier, value: Value) { elements[position] }

    /// The value of an element; nil for a missing one.
    public subscript(identifier: DataElementIdentifier) -> Value? {
        place(of: identifier).map { elements[$0].value }
    }
}
