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
        case .fields(let members): .object(JSONObject(members.map { ($0.name, $0.value.jsonValue) }))
        case .list(let members): .array(members.map(\.jsonValue))
        case .json(let value), .forms(_, let value): value
        }
    }
}
