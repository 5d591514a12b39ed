package import JSONKit

extension JSONValue {
    /// The value as people read it.
    package var outline: Outline {
        switch self {
        case .string(let text): .verbatim(text)
        case .object(let object): .fields(object.map { (name: $0.name, value: .json($0.value)) })
        case .array(let elements): .list(elements.map { .json($0) })
        case .null, .bool, .number: .text(text())
        }
    }
}

extension Outline {
    /// The outline as one compact JSON value, with invisible characters escaped.
    package var json: String {
        jsonValue.text(.compact.escapingInvisible)
    }

    /// The outline as a JSON value.
    package var jsonValue: JSONValue {
        switch self {
        case .text(let text), .verbatim(let text), .block(let text): .string(text)
        case .number(let number): .number(JSONNumber(number))
        case .flag(let flag): .bool(flag)
        case .labeled(let members): .object(JSONObject(members.map { ($0.name.lowerCamelCased, $0.value.jsonValue) }))
        case .fields(let members): .object(JSONObject(members.map { ($0.name, $0.value.jsonValue) }))
        case .list(let members): .array(members.map(\.jsonValue))
        case .json(let value), .forms(_, let value): value
        }
    }
}

extension String {
    /// Several words as one name: `SHA-256 fingerprint` becomes `sha256Fingerprint`; a single word stays as it is.
    fileprivate var lowerCamelCased: String {
        let words = split { $0 == " " || $0 == "-" || $0 == "_" }
        guard words.count > 1, let first = words.first else { return self }
        let isAcronym = first.allSatisfy { $0.isUppercase || $0.isNumber }
        let head = isAcronym ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        return words.dropFirst().reduce(head) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }
}
