/// Values of data elements by namespace and identifier, in the order in which they were read or added.
///
/// The shape recurs in requests (intent to retain), in device-signed elements, in errors and in verified claims.
public struct DataElements<Value: Sendable>: Sendable {
    /// The elements of one namespace.
    public struct Group: Sendable {
        /// The namespace.
        public let nameSpace: NameSpace
        /// The elements with their values.
        public fileprivate(set) var elements: [(identifier: DataElementIdentifier, value: Value)]
    }

    /// One group per namespace.
    public private(set) var groups: [Group]

    /// Creates an empty collection.
    public init() {
        groups = []
    }

    /// Whether there is no element.
    public var isEmpty: Bool { groups.allSatisfy(\.elements.isEmpty) }

    /// The number of elements in all namespaces.
    public var count: Int { groups.reduce(0) { $0 + $1.elements.count } }

    /// The namespaces.
    public var nameSpaces: [NameSpace] { groups.map(\.nameSpace) }

    /// The names of all elements.
    public var references: [DataElementReference] {
        groups.flatMap { group in group.elements.map { DataElementReference(group.nameSpace, $0.identifier) } }
    }

    /// The elements of a namespace; empty where the namespace is not there.
    public subscript(nameSpace: NameSpace) -> [(identifier: DataElementIdentifier, value: Value)] {
        groups.first { $0.nameSpace == nameSpace }?.elements ?? []
    }

    /// The value of one element; assigning nil removes it.
    public subscript(nameSpace: NameSpace, identifier: DataElementIdentifier) -> Value? {
        get { self[nameSpace].first { $0.identifier == identifier }?.value }
        set { set(newValue, nameSpace, identifier) }
    }

    /// Adds a group that the caller knows to be new and free of duplicates.
    mutating func append(_ nameSpace: NameSpace, _ elements: [(identifier: DataElementIdentifier, value: Value)]) {
        groups.append(Group(nameSpace: nameSpace, elements: elements))
    }

    private mutating func set(_ value: Value?, _ nameSpace: NameSpace, _ identifier: DataElementIdentifier) {
        guard let group = groups.firstIndex(where: { $0.nameSpace == nameSpace }) else {
            if let value { append(nameSpace, [(identifier, value)]) }
            return
        }
        let index = groups[group].elements.firstIndex { $0.identifier == identifier }
        switch (index, value) {
        case (let index?, let value?): groups[group].elements[index].value = value
        case (let index?, nil): groups[group].elements.remove(at: index)
        case (nil, let value?): groups[group].elements.append((identifier, value))
        case (nil, nil): break
        }
        if groups[group].elements.isEmpty { groups.remove(at: group) }
    }
}

extension DataElements: ExpressibleByDictionaryLiteral {
    /// Creates a collection from a literal; where an element stands twice, the last value counts.
    public init(dictionaryLiteral elements: (NameSpace, KeyValuePairs<DataElementIdentifier, Value>)...) {
        self.init()
        for (nameSpace, group) in elements {
            for (identifier, value) in group { self[nameSpace, identifier] = value }
        }
    }
}

extension DataElements: Equatable where Value: Equatable {
    /// Whether both hold the same elements with the same values, in the same order.
    public static func == (left: DataElements, right: DataElements) -> Bool {
        left.groups.elementsEqual(right.groups) { left, right in
            left.nameSpace == right.nameSpace && left.elements.elementsEqual(right.elements, by: ==)
        }
    }
}
