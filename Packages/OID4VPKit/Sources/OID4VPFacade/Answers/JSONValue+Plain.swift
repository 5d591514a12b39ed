import JSONKit

extension JSONValue {
    /// The value as the standard library's types; nil for null and for a number that none of them holds.
    var plain: (any Sendable)? {
        if let text = stringValue { return text }
        if let flag = boolValue { return flag }
        if let number = numberValue {
            if let integer = try? number.integer(as: Int.self) { return integer }
            return try? number.double()
        }
        // Received JSON has at most the depth of its reader's limits.
        if let elements = arrayValue { return elements.compactMap(\.plain) as [any Sendable] }
        return objectValue?.plain
    }
}

extension JSONObject {
    /// The members as the standard library's types, without those that are null.
    var plain: [String: any Sendable] {
        reduce(into: [:]) { plain, member in plain[member.name] = member.value.plain }
    }
}
