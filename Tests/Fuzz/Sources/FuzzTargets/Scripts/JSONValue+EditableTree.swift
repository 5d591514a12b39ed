import JSONKit

/// The parts of a JSON value: elements, and values of members.
extension JSONValue: EditableTree {
    var children: [JSONValue] {
        switch self {
        case .array(let elements): elements
        case .object(let object): object.values
        default: []
        }
    }

    func replacing(children: [JSONValue]) -> JSONValue {
        switch self {
        case .array: return .array(children)
        case .object(let object):
            // A new part takes the name of the one before it, with a letter more.
            var names = object.names
            while names.count < children.count { names.append((names.last ?? "") + "a") }
            return .object(JSONObject(Self.distinct(Array(zip(names, children).map { (name: $0, value: $1) }))))
        default: return self
        }
    }

    func removing(at index: Int) -> JSONValue {
        switch self {
        case .array(var elements):
            elements.remove(at: index)
            return .array(elements)
        case .object(let object):
            var members = object.map { $0 }
            members.remove(at: index)
            return .object(JSONObject(members))
        default: return self
        }
    }

    func changed(by script: inout FuzzScript) -> JSONValue {
        switch self {
        case .string(let text): return .string(text.changed(by: &script))
        case .number(let number):
            guard let changed = try? JSONNumber(text: number.text.changed(by: &script)) else { return .integer(0) }
            return .number(changed)
        case .object(let object):
            guard !object.isEmpty else { return Self.made(by: &script) }
            var members = object.map { $0 }
            let index = script.number(below: members.count)
            members[index].name = members[index].name.changed(by: &script)
            return .object(JSONObject(Self.distinct(members)))
        default: return Self.made(by: &script)
        }
    }

    static func made(by script: inout FuzzScript) -> JSONValue {
        switch script.byte() % 9 {
        case 0: .string(String(decoding: script.bytes(), as: UTF8.self))
        case 1: .integer(Int64(truncatingIfNeeded: script.integer()))
        case 2: .null
        case 3: .bool(true)
        case 4: .array([])
        case 5: .object([:])
        case 6: .array([.string(String(decoding: script.bytes(), as: UTF8.self))])
        case 7: (try? JSONValue(parsing: script.bytes())) ?? .bool(false)
        default: (try? .number(JSONNumber(text: "1e\(script.byte())"))) ?? .null
        }
    }

    /// The first of the members with each name.
    private static func distinct(_ members: [JSONObject.Member]) -> [JSONObject.Member] {
        var seen: Set<[UInt8]> = []
        return members.filter { seen.insert(Array($0.name.utf8)).inserted }
    }
}
