import CBORKit
import Synchronization

/// Values of data elements by namespace and identifier, in the order in which they were read or added.
///
/// The shape recurs in requests (intent to retain), in device-signed elements, in errors and in verified claims.
public struct DataElements<Value: Sendable>: Sendable {
    /// The elements of one namespace.
    public struct Group: Sendable {
        /// The namespace.
        public let nameSpace: NameSpace
        /// The elements with their values.
        public private(set) var elements: [(identifier: DataElementIdentifier, value: Value)]
        /// The indices of the elements; shared by the copies of a group until one of them changes.
        private var lookup = Lookup()

        fileprivate init(_ nameSpace: NameSpace, _ elements: [(identifier: DataElementIdentifier, value: Value)]) {
            self.nameSpace = nameSpace
            self.elements = elements
        }

        /// The index of an element, or nil for a missing one; few names are compared, which costs less than hashing.
        func place(of identifier: DataElementIdentifier) -> Int? {
            guard elements.count > DataElements.fewNames else {
                return elements.firstIndex { $0.identifier == identifier }
            }
            return lookup.place(of: identifier, in: elements)
        }

        fileprivate mutating func set(_ value: Value?, _ identifier: DataElementIdentifier) {
            switch (place(of: identifier), value) {
            case (let place?, let value?): elements[place].value = value
            case (let place?, nil):
                elements.remove(at: place)
                lookup = Lookup()
            case (nil, let value?):
                if !isKnownUniquelyReferenced(&lookup) { lookup = Lookup() }
                elements.append((identifier, value))
                lookup.append(identifier, at: elements.count - 1)
            case (nil, nil): break
            }
        }

        /// The places of the elements by their names, made at the first look-up among many.
        private final class Lookup: Sendable {
            private let places = Mutex<[DataElementIdentifier: Int]?>(nil)

            func place(
                of identifier: DataElementIdentifier,
                in elements: [(identifier: DataElementIdentifier, value: Value)]
            ) -> Int? {
                places.withLock { places in
                    if let places { return places[identifier] }
                    let named = Dictionary(elements.enumerated().map { ($0.element.identifier, $0.offset) }) {
                        first,
                        _ in
                        first
                    }
                    places = named
                    return named[identifier]
                }
            }

            func append(_ identifier: DataElementIdentifier, at place: Int) {
                places.withLock { $0?[identifier] = place }
            }
        }
    }

    /// One group per namespace.
    public private(set) var groups: [Group]
    /// The indices of the namespaces; nil for so few that comparing them costs less than hashing.
    private var places: [NameSpace: Int]?

    /// The largest number of names that are compared one by one.
    private static var fewNames: Int { 16 }

    /// Creates an empty collection.
    public init() {
        groups = []
    }

    /// Indicates that there is no element.
    public var isEmpty: Bool { groups.allSatisfy(\.elements.isEmpty) }

    /// The number of elements in all namespaces.
    public var count: Int { groups.reduce(0) { $0 + $1.elements.count } }

    /// The namespaces.
    public var nameSpaces: [NameSpace] { groups.map(\.nameSpace) }

    /// The names of all elements.
    public var references: [DataElementReference] {
        groups.flatMap { group in group.elements.map { DataElementReference(group.nameSpace, $0.identifier) } }
    }

    /// The elements of a namespace; empty for a missing namespace.
    public subscript(nameSpace: NameSpace) -> [(identifier: DataElementIdentifier, value: Value)] {
        place(of: nameSpace).map { groups[$0].elements } ?? []
    }

    /// The value of one element; assigning nil removes it.
    public subscript(nameSpace: NameSpace, identifier: DataElementIdentifier) -> Value? {
        get {
            guard let group = place(of: nameSpace), let place = groups[group].place(of: identifier) else { return nil }
            return groups[group].elements[place].value
        }
        set { set(newValue, nameSpace, identifier) }
    }

    /// Adds a group that the caller knows to be new and free of duplicates.
    package mutating func append(
        _ nameSpace: NameSpace,
        _ elements: [(identifier: DataElementIdentifier, value: Value)]
    ) {
        groups.append(Group(nameSpace, elements))
        places?[nameSpace] = groups.count - 1
        if places == nil { places = placesOfGroups() }
    }

    private func placesOfGroups() -> [NameSpace: Int]? {
        guard groups.count > Self.fewNames else { return nil }
        return Dictionary(groups.enumerated().map { ($0.element.nameSpace, $0.offset) }) { first, _ in first }
    }

    private func place(of nameSpace: NameSpace) -> Int? {
        guard let places else { return groups.firstIndex { $0.nameSpace == nameSpace } }
        return places[nameSpace]
    }

    private mutating func set(_ value: Value?, _ nameSpace: NameSpace, _ identifier: DataElementIdentifier) {
        guard let group = place(of: nameSpace) else {
            if let value { append(nameSpace, [(identifier, value)]) }
            return
        }
        groups[group].set(value, identifier)
        if groups[group].elements.isEmpty {
            groups.remove(at: group)
            places = placesOfGroups()
        }
    }
}

extension DataElements: ExpressibleByDictionaryLiteral {
    /// Creates a collection from a literal; of a duplicate element, the last value counts.
    public init(dictionaryLiteral elements: (NameSpace, KeyValuePairs<DataElementIdentifier, Value>)...) {
        self.init()
        for (nameSpace, group) in elements {
            for (identifier, value) in group { self[nameSpace, identifier] = value }
        }
    }
}

extension DataElements: Equatable where Value: Equatable {
    /// Returns `true` if both hold the same elements with the same values, in the same order.
    public static func == (left: DataElements, right: DataElements) -> Bool {
        left.groups.elementsEqual(right.groups) { left, right in
            left.nameSpace == right.nameSpace && left.elements.elementsEqual(right.elements, by: ==)
        }
    }
}

extension CBORWriter {
    /// Writes data elements as a map of maps.
    mutating func write<Value>(
        _ elements: DataElements<Value>,
        _ write: (inout CBORWriter, Value) -> Void
    ) {
        beginMap(count: elements.groups.count)
        for group in elements.groups {
            self.write(text: group.nameSpace.text)
            beginMap(count: group.elements.count)
            for element in group.elements {
                self.write(text: element.identifier.text)
                write(&self, element.value)
            }
        }
    }
}

extension [DataElementIdentifier] {
    /// Up to this many names are compared with each other, which costs less than hashing them.
    private static var fewNames: Int { 16 }

    /// The first duplicate name, or nil.
    var firstRepeated: DataElementIdentifier? {
        guard count > Self.fewNames else {
            return indices.first { self[..<$0].contains(self[$0]) }.map { self[$0] }
        }
        var seen = Set<DataElementIdentifier>(minimumCapacity: count)
        return first { !seen.insert($0).inserted }
    }
}
