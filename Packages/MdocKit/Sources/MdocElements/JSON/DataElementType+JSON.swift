import CBORKit
import JSONKit
import MdocKit

extension DataElementType {
    /// The value of an element of this type from JSON; the nesting is that of the type, not of the value.
    func value(of json: JSONValue, named name: String, _ path: CBORPath) throws(MdocError) -> CBOR {
        guard let form = form(of: json) else {
            throw MdocError(.unexpectedType, "expected \(self), found \(json.kind)", path: path)
        }
        switch (form, json) {
        case (.text, .string(let text)): return .text(text)
        case (.fullDate, .string(let text)): return try Self.fullDate(text, path)
        case (.dateTime, .string(let text)): return try Self.dateTime(text, path)
        case (.bytes, .string(let text)): return .bytes(try JSONBytes.implicit(text, path))
        case (.bytes, .object(let object)): return .bytes(try Self.bytes(object, path))
        case (.unsigned, .number(let number)): return .unsigned(try Self.unsigned(number, path))
        case (.array(let type, _), .array(let elements)): return .array(try type.values(of: elements, name, path))
        case (.map(let members, _), .object(let object)): return .map(try Self.map(object, members, path))
        default:
            var mapping = PlainMapping()
            return try mapping.convert(json, named: name, path)
        }
    }

    /// The form of the type that a value has by its kind, or nil if it has none of them.
    private func form(of json: JSONValue) -> DataElementType? {
        switch (self, json) {
        case (.oneOf(let forms), _):
            // A day and a moment are both texts in JSON: what reads as the one is not the other.
            forms.lazy.compactMap { $0.form(of: json) }.first { $0.isReadable(json) }
                ?? forms.lazy.compactMap { $0.form(of: json) }.first
        case (.any, _), (.bool, .bool), (.unsigned, .number), (.array, .array), (.map, .object): self
        case (.text, .string), (.fullDate, .string), (.dateTime, .string): self
        case (.bytes, .string), (.bytes, .object): self
        default: nil
        }
    }

    private func isReadable(_ json: JSONValue) -> Bool {
        switch (self, json) {
        case (.fullDate, .string(let text)): FullDate(text) != nil
        case (.dateTime, .string(let text)): CBORDateTime(text) != nil
        default: true
        }
    }

    private static func fullDate(_ text: String, _ path: CBORPath) throws(MdocError) -> CBOR {
        guard let day = FullDate(text) else {
            throw MdocError(.invalidValue, "a full-date is written YYYY-MM-DD", path: path)
        }
        return day.dataElement()
    }

    private static func dateTime(_ text: String, _ path: CBORPath) throws(MdocError) -> CBOR {
        guard let time = CBORDateTime(tdate: text) else {
            throw MdocError(.invalidValue, "a tdate is written as RFC 3339 has it", path: path)
        }
        return .dateTime(time)
    }

    private static func bytes(_ object: JSONObject, _ path: CBORPath) throws(MdocError) -> [UInt8] {
        guard let bytes = try JSONBytes.explicit(object, path) else {
            throw MdocError(.unexpectedType, "bytes are a text, or an object with base64 or base64url", path: path)
        }
        return bytes
    }

    private static func unsigned(_ number: JSONNumber, _ path: CBORPath) throws(MdocError) -> UInt64 {
        do {
            return try number.integer()
        } catch {
            throw MdocError(.invalidValue, "\(number) is no whole number from 0 up", path: path, cause: error)
        }
    }

    private func values(of elements: [JSONValue], _ name: String, _ path: CBORPath) throws(MdocError) -> [CBOR] {
        var values: [CBOR] = []
        for (index, element) in elements.enumerated() {
            values.append(try value(of: element, named: name, path + CBORPath([.index(index)])))
        }
        return values
    }

    private static func map(
        _ object: JSONObject,
        _ members: [Member],
        _ path: CBORPath
    ) throws(MdocError) -> CBORMap {
        if let missing = members.first(where: { $0.isMandatory && !object.contains($0.name) }) {
            throw MdocError(.missingMember, "the member \(missing.name) is missing", path: path)
        }
        var map = CBORMap()
        for (name, value) in object {
            let type = members.first { $0.name == name }?.type ?? .any
            map.append(.text(name), try type.value(of: value, named: name, path + CBORPath([.key(name)])))
        }
        return map
    }
}

extension CBORDateTime {
    /// The time of a text of RFC 3339 as a `tdate` has it: in UTC and without fractions of a second (ISO/IEC 18013-5, 8.2).
    init?(tdate text: String) {
        guard let time = CBORDateTime(text) else { return nil }
        self.init(secondsSinceEpoch: time.secondsSinceEpoch)
    }
}
