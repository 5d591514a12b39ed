import JSONKit
import VerificationCore

extension VerificationReport {
    /// The form that `Codable` gives the report, in a fraction of its time; nil for a time without a form in JSON.
    var json: JSONValue? {
        guard let time = try? JSONNumber(time) else { return nil }
        var object: JSONObject = [
            "verdict": .string(verdict.rawValue), "time": .number(time), "checks": .array(checks.map(\.json)),
        ]
        if let refusal { object["refusal"] = refusal.json }
        if let deviations { object["deviations"] = .array(deviations.map(\.json)) }
        guard let parts else { return .object(object) }
        var list: [JSONValue] = []
        for part in parts {
            guard let json = part.verification.json else { return nil }
            list.append(["name": .string(part.name), "verification": json])
        }
        object["parts"] = .array(list)
        return .object(object)
    }
}

extension VerificationReport.CheckEntry {
    fileprivate var json: JSONValue {
        var members = [JSONObject.Entry(name: "check", value: .string(check))]
        members.append(path)
        members.append(JSONObject.Entry(name: "result", value: .string(result.rawValue)))
        members.append("reason", reason)
        members.append("message", message)
        members.append("policy", policy)
        return .object(JSONObject(distinct: members))
    }
}

extension VerificationReport.RefusalEntry {
    fileprivate var json: JSONValue {
        var members = [JSONObject.Entry(name: "check", value: .string(check))]
        members.append(path)
        members.append("reason", reason)
        members.append("message", message)
        members.append(JSONObject.Entry(name: "isUnavailable", value: .bool(isUnavailable)))
        return .object(JSONObject(distinct: members))
    }
}

extension VerificationReport.DeviationEntry {
    fileprivate var json: JSONValue {
        var members = [JSONObject.Entry(name: "tolerance", value: .string(tolerance))]
        members.append(path)
        members.append("message", message)
        return .object(JSONObject(distinct: members))
    }
}

extension [JSONObject.Entry] {
    /// Appends a member, or nothing for nil.
    fileprivate mutating func append(_ name: String, _ text: String?) {
        if let text { append(JSONObject.Entry(name: name, value: .string(text))) }
    }

    /// Appends the member `path`, or nothing for nil.
    fileprivate mutating func append(_ path: [String]?) {
        if let path { append(JSONObject.Entry(name: "path", value: .array(path.map { .string($0) }))) }
    }
}
