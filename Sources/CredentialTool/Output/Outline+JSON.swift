import JSONKit

extension Outline {
    /// The outline as one compact JSON value.
    var json: String {
        String(decoding: jsonValue.encoded(), as: UTF8.self)
    }

    private var jsonValue: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .number(JSONNumber(number))
        case .flag(let flag): .bool(flag)
        case .fields(let members): .object(JSONObject(members.map { ($0.name, $0.value.jsonValue) }))
        case .list(let members): .array(members.map(\.jsonValue))
        }
    }
}
