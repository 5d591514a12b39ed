import JSONKit
import VerificationCore

/// Values by property, in the order in which the properties came up.
struct PropertyMap {
    private(set) var names: [String] = []
    private(set) var values: [[JSONValue]] = []
    /// The term by which the last values of each property came, if they came by one.
    private var terms: [DefinedTerm?] = []
    /// The position of each name; empty while there are few.
    private var positions: [ExactText: Int] = [:]

    private static let mostScanned = 16

    var isEmpty: Bool { names.isEmpty }

    mutating func reserve(_ count: Int) {
        names.reserveCapacity(count)
        values.reserveCapacity(count)
        terms.reserveCapacity(count)
    }

    /// Adds values of a property.
    ///
    /// - Returns: `true` if the property has others already, and not by a term of another definition.
    @discardableResult
    mutating func add(_ value: JSONValue, to name: String, by term: DefinedTerm? = nil) -> Bool {
        let count = names.count
        let position = position(of: name)
        let isSecond = position < count && Self.areSame(terms[position], term)
        terms[position] = term
        if case .array(let elements) = value {
            if values[position].isEmpty { values[position] = elements } else { values[position] += elements }
        } else {
            values[position].append(value)
        }
        return isSecond
    }

    private static func areSame(_ first: DefinedTerm?, _ second: DefinedTerm?) -> Bool {
        guard let first, let second else { return true }
        return first.definition.isSame(as: second.definition)
    }

    private mutating func position(of name: String) -> Int {
        if positions.isEmpty {
            if let position = names.firstIndex(where: { $0.hasSameBytes(as: name) }) { return position }
        } else if let position = positions[ExactText(name)] {
            return position
        }
        names.append(name)
        values.append([])
        terms.append(nil)
        if names.count > Self.mostScanned {
            if positions.isEmpty {
                for (position, name) in names.enumerated() { positions[ExactText(name)] = position }
            } else {
                positions[ExactText(name)] = names.count - 1
            }
        }
        return names.count - 1
    }

    func append(to members: inout [JSONObject.Entry]) {
        for (name, values) in zip(names, values) {
            members.append(JSONObject.Entry(name: name, value: .array(values)))
        }
    }
}

/// The result of an object's expansion while it is put together.
struct ExpandedObject {
    var id: JSONValue?
    var type: JSONValue?
    /// Values of further entries that stand for `@type`, which ``joinTypes()`` puts before the first.
    private var addedTypes: [JSONValue] = []
    var value: JSONValue?
    var language: JSONValue?
    var direction: JSONValue?
    var index: JSONValue?
    var list: JSONValue?
    /// The value of `@set`, which may be the null of the specification.
    var set: JSONValue??
    var graph: JSONValue?
    var included: [JSONValue]?
    var properties = PropertyMap()
    var reverse = PropertyMap()

    /// Adds values of `@type`; a single string stays one.
    mutating func addType(_ value: JSONValue) {
        if type == nil { type = value } else { addedTypes.append(value) }
    }

    /// Puts the values of all entries that stand for `@type` into one list.
    mutating func joinTypes() {
        guard let type, !addedTypes.isEmpty else { return }
        self.type = .array(addedTypes.reversed().flatMap(\.elements) + type.elements)
        addedTypes = []
    }

    /// Adds values of a reverse property, which must be nodes.
    mutating func addReverse(_ value: JSONValue, to name: String) -> Bool {
        for item in value.elements {
            guard case .object(let object) = item, !object.contains("@value"), !object.contains("@list") else {
                return false
            }
        }
        reverse.add(value, to: name)
        return true
    }

    /// Indicates that there are entries that neither a value, list nor set object may have.
    var hasNodeEntries: Bool {
        id != nil || graph != nil || included != nil || !properties.isEmpty || !reverse.isEmpty
    }

    /// Indicates that `@id` is the only entry.
    var hasOnlyID: Bool {
        id != nil && type == nil && index == nil && language == nil && direction == nil && graph == nil
            && included == nil && properties.isEmpty && reverse.isEmpty
    }

    /// The object as JSON.
    var object: JSONObject {
        var members: [JSONObject.Entry] = []
        members.reserveCapacity(properties.names.count + 3)
        func append(_ name: String, _ value: JSONValue?) {
            if let value { members.append(JSONObject.Entry(name: name, value: value)) }
        }
        append("@id", id)
        append("@type", type)
        append("@value", value)
        append("@language", language)
        append("@direction", direction)
        append("@index", index)
        append("@list", list)
        append("@graph", graph)
        append("@included", included.map(JSONValue.array))
        if !reverse.isEmpty {
            var reversed: [JSONObject.Entry] = []
            reverse.append(to: &reversed)
            members.append(JSONObject.Entry(name: "@reverse", value: .object(JSONObject(distinct: reversed))))
        }
        properties.append(to: &members)
        return JSONObject(distinct: members)
    }
}
