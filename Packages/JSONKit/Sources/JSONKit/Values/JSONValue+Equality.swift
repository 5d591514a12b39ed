// Without recursion, since values may be nested as deep as a text is.
extension JSONValue: Hashable {
    /// Returns `true` if two values say the same in JSON's data model; see ``JSONValue``.
    public static func == (a: JSONValue, b: JSONValue) -> Bool {
        var pairs = [(a, b)]
        while let (a, b) = pairs.popLast() {
            switch (a, b) {
            case (.null, .null): continue
            case (.bool(let a), .bool(let b)) where a == b: continue
            case (.number(let a), .number(let b)) where a == b: continue
            case (.string(let a), .string(let b)) where JSONName(a) == JSONName(b): continue
            case (.array(let a), .array(let b)) where a.count == b.count: pairs.append(contentsOf: zip(a, b))
            case (.object(let a), .object(let b)):
                guard let values = a.values(pairedWith: b) else { return false }
                pairs.append(contentsOf: values)
            default: return false
            }
        }
        return true
    }

    /// Feeds what equality compares.
    public func hash(into hasher: inout Hasher) {
        var values = [self]
        while let value = values.popLast() {
            hasher.combine(value.kind)
            switch value {
            case .null: break
            case .bool(let value): hasher.combine(value)
            case .number(let value): hasher.combine(value)
            case .string(let value): hasher.combine(JSONName(value))
            case .array(let elements):
                hasher.combine(elements.count)
                values.append(contentsOf: elements)
            case .object(let object):
                hasher.combine(object.count)
                // Objects that are equal have the same members in any order.
                for member in object.members.sorted(by: { JSONName($0.name) < JSONName($1.name) }) {
                    hasher.combine(JSONName(member.name))
                    values.append(member.value)
                }
            }
        }
    }
}

extension JSONObject: Hashable {
    /// Returns `true` for objects with the same members in any order.
    public static func == (a: JSONObject, b: JSONObject) -> Bool {
        JSONValue.object(a) == JSONValue.object(b)
    }

    /// Feeds the members so that their order does not count.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(JSONValue.object(self))
    }

    /// The values of both objects by their names; nil if the names are not the same.
    fileprivate func values(pairedWith other: JSONObject) -> [(JSONValue, JSONValue)]? {
        guard count == other.count else { return nil }
        var pairs: [(JSONValue, JSONValue)] = []
        for member in members {
            guard let otherValue = other[member.name] else { return nil }
            pairs.append((member.value, otherValue))
        }
        return pairs
    }
}
