import JSONKit

/// Compiles a schema and all inside it to one list, without calling itself: what is left to compile waits in that list.
struct SchemaCompiler {
    private let root: JSONValue
    private let limits: JSONSchemaLimits
    private let patterns: PatternSpace
    /// The schemas by their places: those behind `nodes` are not compiled yet.
    private var sources: [JSONValue]
    private var nodes: [SchemaNode] = []
    /// The places of schemas that references name, by their pointers.
    private var referenced: [ExactText: Int] = [:]

    init(_ root: JSONValue, limits: JSONSchemaLimits, _ patterns: PatternSpace) {
        self.root = root
        self.limits = limits
        self.patterns = patterns
        sources = [root]
        referenced[""] = 0
    }

    mutating func compile() throws(OID4VPError) -> [SchemaNode] {
        while nodes.count < sources.count { nodes.append(try node(sources[nodes.count])) }
        return nodes
    }

    private static func invalid(_ keyword: String, _ expected: String) -> OID4VPError {
        OID4VPError(.invalidSchema, "it must be \(expected)", path: ["filter", keyword])
    }

    /// The place of a schema that is compiled later.
    private mutating func place(of schema: JSONValue) throws(OID4VPError) -> Int {
        guard sources.count < limits.schemas else {
            throw OID4VPError(.limitExceeded, "a filter has more than \(limits.schemas) schemas", path: ["filter"])
        }
        sources.append(schema)
        return sources.count - 1
    }

    private mutating func places(_ value: JSONValue, _ keyword: String) throws(OID4VPError) -> [Int] {
        guard let schemas = value.arrayValue, !schemas.isEmpty else {
            throw Self.invalid(keyword, "a non-empty array of schemas")
        }
        return try schemas.map { schema throws(OID4VPError) in try place(of: schema) }
    }

    private mutating func node(_ schema: JSONValue) throws(OID4VPError) -> SchemaNode {
        var node = SchemaNode()
        switch schema {
        case .bool(let accepts): if !accepts { node.assertions = [.never] }
        case .object(let members):
            if let reference = members["$ref"] {
                // Draft 7 ignores all that stands beside a reference.
                node.applications = [.reference(try place(referencedBy: reference))]
            } else {
                for (keyword, value) in members {
                    if let assertion = try assertion(keyword, value) { node.assertions.append(assertion) }
                    if let application = try application(keyword, value, members) {
                        node.applications.append(application)
                    }
                }
            }
        default: throw OID4VPError(.invalidSchema, "a schema is an object, true or false", path: ["filter"])
        }
        return node
    }

    // MARK: References

    private mutating func place(referencedBy value: JSONValue) throws(OID4VPError) -> Int {
        guard let reference = value.stringValue else { throw Self.invalid("$ref", "a text") }
        guard reference.utf8.first == UInt8(ascii: "#") else {
            throw OID4VPError(.unsupportedSchema, "a reference leads out of the filter", path: ["filter", "$ref"])
        }
        let pointer = String(reference.dropFirst())
        if let place = referenced[ExactText(pointer)] { return place }
        guard let schema = schema(at: pointer) else {
            throw OID4VPError(.invalidSchema, "a reference leads to nothing", path: ["filter", "$ref"])
        }
        let place = try place(of: schema)
        referenced[ExactText(pointer)] = place
        return place
    }

    /// The schema at a JSON pointer (RFC 6901).
    private func schema(at pointer: String) -> JSONValue? {
        guard pointer.utf8.first == UInt8(ascii: "/") else { return nil }
        var value = root
        for token in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let name = String(token.replacing("~1", with: "/").replacing("~0", with: "~"))
            guard let child = value[name] ?? Int(name).flatMap({ index in value[index] }) else { return nil }
            value = child
        }
        return value
    }
}

// Keywords.
extension SchemaCompiler {
    private func assertion(_ keyword: String, _ value: JSONValue) throws(OID4VPError) -> SchemaAssertion? {
        switch keyword {
        case "type": return .types(try Self.types(value))
        case "const": return .oneOf([value])
        case "enum":
            guard let values = value.arrayValue else { throw Self.invalid(keyword, "an array") }
            return .oneOf(values)
        case "pattern": return .pattern(try patterns.pattern(Self.text(value, keyword), limits: limits.patterns))
        case "formatMinimum": return .textMinimum(try Self.text(value, keyword))
        case "formatMaximum": return .textMaximum(try Self.text(value, keyword))
        case "minLength": return .length(try Self.count(value, keyword)...Int.max)
        case "maxLength": return .length(0...(try Self.count(value, keyword)))
        case "minItems": return .elements(try Self.count(value, keyword)...Int.max)
        case "maxItems": return .elements(0...(try Self.count(value, keyword)))
        case "minProperties": return .members(try Self.count(value, keyword)...Int.max)
        case "maxProperties": return .members(0...(try Self.count(value, keyword)))
        case "uniqueItems":
            guard let isUnique = value.boolValue else { throw Self.invalid(keyword, "true or false") }
            return isUnique ? .uniqueElements : nil
        case "required": return .required(try Self.texts(value, keyword))
        case "minimum": return .minimum(try Self.number(value, keyword), isExclusive: false)
        case "maximum": return .maximum(try Self.number(value, keyword), isExclusive: false)
        case "exclusiveMinimum": return .minimum(try Self.number(value, keyword), isExclusive: true)
        case "exclusiveMaximum": return .maximum(try Self.number(value, keyword), isExclusive: true)
        case "multipleOf":
            let divisor = try Self.number(value, keyword)
            guard JSONNumber(0).isLess(than: divisor) == true else { throw Self.invalid(keyword, "greater than 0") }
            return .multiple(divisor)
        default: return nil
        }
    }

    private mutating func application(
        _ keyword: String,
        _ value: JSONValue,
        _ members: JSONObject
    ) throws(OID4VPError) -> SchemaApplication? {
        switch keyword {
        case "not": return .not(try place(of: value))
        case "allOf": return .all(try places(value, keyword))
        case "anyOf": return .any(try places(value, keyword))
        case "oneOf": return .exactlyOne(try places(value, keyword))
        case "contains": return .contains(try place(of: value))
        case "propertyNames": return .memberNames(try place(of: value))
        case "if":
            return .conditional(
                condition: try place(of: value),
                then: try optionalPlace(members["then"]),
                otherwise: try optionalPlace(members["else"])
            )
        case "items":
            guard case .array(let schemas) = value else {
                return .elements(first: [], others: try place(of: value))
            }
            return .elements(
                first: try schemas.map { schema throws(OID4VPError) in try place(of: schema) },
                others: try optionalPlace(members["additionalItems"])
            )
        case "properties", "patternProperties", "additionalProperties":
            // One demand for the three, since the last is about what the others leave.
            let names = ["properties", "patternProperties", "additionalProperties"]
            guard names.first(where: members.contains) == keyword else { return nil }
            return try memberDemands(members)
        case "dependencies":
            throw OID4VPError(.unsupportedSchema, "a filter has the keyword \(keyword)", path: ["filter"])
        default: return nil
        }
    }

    private mutating func optionalPlace(_ schema: JSONValue?) throws(OID4VPError) -> Int? {
        guard let schema else { return nil }
        return try place(of: schema)
    }

    private mutating func memberDemands(_ members: JSONObject) throws(OID4VPError) -> SchemaApplication {
        var named: [(name: String, schema: Int)] = []
        for (name, schema) in try Self.members(members["properties"], "properties") {
            named.append((name, try place(of: schema)))
        }
        var matching: [(pattern: LinearPattern, schema: Int)] = []
        for (name, schema) in try Self.members(members["patternProperties"], "patternProperties") {
            matching.append((try patterns.pattern(name, limits: limits.patterns), try place(of: schema)))
        }
        let others = try optionalPlace(members["additionalProperties"])
        return .members(named: named, matching: matching, others: others)
    }
}

// Values of keywords.
extension SchemaCompiler {
    private static func types(_ value: JSONValue) throws(OID4VPError) -> [SchemaType] {
        let names = if let name = value.stringValue { [name] } else { try texts(value, "type") }
        return try names.map { name throws(OID4VPError) in
            guard let type = SchemaType(rawValue: name) else { throw invalid("type", "a type of JSON Schema") }
            return type
        }
    }

    private static func text(_ value: JSONValue, _ keyword: String) throws(OID4VPError) -> String {
        guard let text = value.stringValue else { throw invalid(keyword, "a text") }
        return text
    }

    private static func texts(_ value: JSONValue, _ keyword: String) throws(OID4VPError) -> [String] {
        guard let elements = value.arrayValue else { throw invalid(keyword, "an array of texts") }
        return try elements.map { element throws(OID4VPError) in try text(element, keyword) }
    }

    private static func number(_ value: JSONValue, _ keyword: String) throws(OID4VPError) -> JSONNumber {
        guard let number = value.numberValue else { throw invalid(keyword, "a number") }
        return number
    }

    private static func count(_ value: JSONValue, _ keyword: String) throws(OID4VPError) -> Int {
        guard let count = try? value.numberValue?.integer(as: Int.self), count >= 0 else {
            throw invalid(keyword, "a non-negative integer")
        }
        return count
    }

    private static func members(_ value: JSONValue?, _ keyword: String) throws(OID4VPError) -> JSONObject {
        guard let value else { return [:] }
        guard let members = value.objectValue else { throw invalid(keyword, "an object of schemas") }
        return members
    }
}
