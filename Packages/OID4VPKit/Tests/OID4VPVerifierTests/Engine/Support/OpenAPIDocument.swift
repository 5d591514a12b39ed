import Foundation
import JSONKit
import Yams

/// The description of the server's endpoints, and the check of an answer against it.
struct OpenAPIDocument {
    /// An operation with the statuses of its answers.
    struct Operation {
        let method: String
        let path: String
        let statuses: [Int]
    }

    private let root: JSONValue

    init(atPath path: String) throws {
        let node = try Yams.compose(yaml: String(contentsOfFile: path, encoding: .utf8))
        root = node.map(Self.json) ?? .null
    }

    private static func json(_ node: Node) -> JSONValue {
        switch node {
        case .mapping(let mapping):
            var object = JSONObject()
            for (name, value) in mapping { object[name.string ?? ""] = json(value) }
            return .object(object)
        case .sequence(let sequence): return .array(sequence.map(json))
        case .scalar, .alias:
            if let flag = node.bool { return .bool(flag) }
            return .string(node.string ?? "")
        }
    }

    /// The operations by their identifiers.
    var operations: [String: Operation] {
        var operations: [String: Operation] = [:]
        for (path, item) in members(root["paths"]) {
            for (method, operation) in members(item) where operation["operationId"] != nil {
                operations[operation["operationId"]?.stringValue ?? ""] = Operation(
                    method: method.uppercased(),
                    path: path,
                    statuses: members(operation["responses"]).compactMap { Int($0.0) }
                )
            }
        }
        return operations
    }

    /// The reasons that an answer is not what the document says of it.
    func faults(in body: [UInt8], contentType: String?, status: Int, of operation: Operation) -> [String] {
        let item = root["paths"]?[operation.path]?[operation.method.lowercased()]
        guard let response = resolved(item?["responses"]?["\(status)"]) else { return ["no answer \(status)"] }
        guard let content = response["content"] else { return body.isEmpty ? [] : ["a body"] }
        let type = contentType?.split(separator: ";").first.map(String.init) ?? "none"
        guard let schema = content[type]?["schema"] else { return ["the content type \(type)"] }
        guard type == "application/json" else {
            return faults(in: .string(String(decoding: body, as: UTF8.self)), schema, "body")
        }
        guard let json = try? JSONValue(parsing: body) else { return ["no JSON"] }
        return faults(in: json, schema, "body")
    }

    private func faults(in value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        guard let schema = resolved(schema) else { return ["\(place): no schema"] }
        let types = schema["type"]?.arrayValue?.compactMap(\.stringValue) ?? [schema["type"]?.stringValue ?? ""]
        guard types.contains(Self.type(of: value)) else { return ["\(place): \(Self.type(of: value)), not \(types)"] }
        var faults: [String] = []
        if let allowed = schema["enum"]?.arrayValue, !allowed.contains(value) { faults.append("\(place): \(value)") }
        if let pattern = schema["pattern"]?.stringValue,
            value.stringValue?.range(of: pattern, options: .regularExpression) == nil
        {
            faults.append("\(place): not of \(pattern)")
        }
        for name in schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? [] where value[name] == nil {
            faults.append("\(place): no \(name)")
        }
        for (name, member) in members(schema["properties"]) {
            if let found = value[name] { faults += self.faults(in: found, member, "\(place).\(name)") }
        }
        if let items = schema["items"], let elements = value.arrayValue {
            for element in elements { faults += self.faults(in: element, items, "\(place)[]") }
        }
        return faults
    }

    private static func type(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .number: "integer"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    private func members(_ value: JSONValue?) -> [(String, JSONValue)] {
        resolved(value)?.objectValue?.map { ($0.name, $0.value) } ?? []
    }

    /// The value that a reference stands for.
    private func resolved(_ value: JSONValue?) -> JSONValue? {
        guard let reference = value?["$ref"]?.stringValue else { return value }
        return reference.split(separator: "/").dropFirst().reduce(root) { found, name in found?[String(name)] }
    }
}
