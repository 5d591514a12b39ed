/// A value that is being encoded: containers may be filled in any order, and beside each other.
final class JSONEncodingNode {
    /// A part of a container.
    enum Part {
        case value(JSONValue)
        case node(JSONEncodingNode)
    }

    private enum Content {
        case nothing
        case value(JSONValue)
        case array([Part])
        case object([(name: String, part: Part)])
    }

    private var content = Content.nothing

    var isEmpty: Bool {
        if case .nothing = content { true } else { false }
    }

    /// The number of elements of an array.
    var count: Int {
        if case .array(let parts) = content { parts.count } else { 0 }
    }

    func set(_ part: Part) throws {
        content = .value(try part.value())
    }

    /// Becomes an object, unless it is one already: a type may open its container twice.
    func becomeObject() {
        if case .object = content { return }
        content = .object([])
    }

    /// Becomes an array, unless it is one already.
    func becomeArray() {
        if case .array = content { return }
        content = .array([])
    }

    func append(_ part: Part) {
        guard case .array(var parts) = content else { return }
        content = .nothing
        parts.append(part)
        content = .array(parts)
    }

    func append(_ part: Part, name: String) {
        guard case .object(var parts) = content else { return }
        content = .nothing
        parts.append((name, part))
        content = .object(parts)
    }

    /// The finished value.
    func value() throws -> JSONValue {
        switch content {
        case .nothing: throw JSONError(.invalidValue, "a type encoded nothing")
        case .value(let value): value
        case .array(let parts): .array(try parts.map { try $0.value() })
        case .object(let parts): .object(JSONObject(try parts.map { ($0.name, try $0.part.value()) }))
        }
    }
}

extension JSONEncodingNode.Part {
    func value() throws -> JSONValue {
        switch self {
        case .value(let value): value
        case .node(let node): try node.value()
        }
    }
}
