import JSONKit

extension JSONValue {
    /// Indicates a value that operators on sets compare: a text, a number or an object.
    var isComparable: Bool {
        switch kind {
        case .string, .number, .object: true
        default: false
        }
    }

    /// The values of a `scope`, which stand in one text with spaces between them (RFC 7591, section 2); any other value
    /// itself.
    var scopeValues: JSONValue {
        guard let text = stringValue else { return self }
        return .array(
            text.utf8.split(separator: UInt8(ascii: " ")).map { .string(String(decoding: $0, as: UTF8.self)) }
        )
    }

    /// The text of a `scope` for an array of its values; any other value itself.
    var scopeText: JSONValue {
        guard let texts = arrayValue?.map(\.stringValue), !texts.contains(nil) else { return self }
        return .string(texts.compactMap(\.self).joined(separator: " "))
    }
}

/// Arrays as sets: the order of the receiver is kept.
extension [JSONValue] {
    /// The values, each once.
    var distinct: [JSONValue] {
        var seen: Set<JSONValue> = []
        return filter { seen.insert($0).inserted }
    }

    /// The values of both, those of the receiver first.
    func union(_ others: [JSONValue]) -> [JSONValue] {
        let own = Set(self)
        return self + others.filter { !own.contains($0) }
    }

    /// The values of the receiver that the other has, too.
    func intersection(_ others: [JSONValue]) -> [JSONValue] {
        let others = Set(others)
        return filter(others.contains)
    }

    /// Returns `true` if all of the other's values are there.
    func isSuperset(of others: [JSONValue]) -> Bool { Set(self).isSuperset(of: others) }
}
