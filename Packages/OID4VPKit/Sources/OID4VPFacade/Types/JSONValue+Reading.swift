import JSONKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONValue {
    /// The depth of values that are converted.
    private static let maximumDepth = 64

    /// A value of the standard library's types, of this module's, or one that can be encoded.
    ///
    /// - Throws: ``UnsupportedTypeDecoding`` for anything else, and for values that are nested too deep.
    init(plain value: Any, depth: Int = 0) throws(OpenID4VPException) {
        guard depth < Self.maximumDepth else {
            throw UnsupportedTypeDecoding(message: "The value is nested too deep", className: "JSON")
        }
        switch value {
        case let value as JSONValue: self = value
        case let value as JSONObject: self = .object(value)
        case let value as String: self = .string(value)
        #if canImport(ObjectiveC)
        // A number of Foundation can be cast to a truth value, too.
        case let value as NSNumber: self = try Self.number(value)
        #endif
        case let value as Bool: self = .bool(value)
        case let value as any BinaryInteger: self = .integer(value)
        case let value as [Any]:
            var elements: [JSONValue] = []
            for element in value { elements.append(try JSONValue(plain: element, depth: depth + 1)) }
            self = .array(elements)
        case let value as [String: Any]:
            var members = JSONObject()
            for (name, member) in value.sorted(by: { $0.key < $1.key }) {
                members[name] = try JSONValue(plain: member, depth: depth + 1)
            }
            self = .object(members)
        case Optional<Any>.none: self = .null
        case let value as any Encodable: self = try Self.encoded(value)
        default:
            throw UnsupportedTypeDecoding(
                message: "A value of type \(type(of: value)) is no JSON",
                className: "JSON"
            )
        }
    }

    #if canImport(ObjectiveC)
    private static func number(_ value: NSNumber) throws(OpenID4VPException) -> JSONValue {
        do {
            let text = try JSONSerialization.data(withJSONObject: [value])
            return try JSONValue(parsing: [UInt8](text))[0] ?? .null
        } catch {
            throw JsonEncodingFailed(fieldPath: "value", reason: "\(error)", className: "JSON")
        }
    }
    #endif

    private static func encoded(_ value: any Encodable) throws(OpenID4VPException) -> JSONValue {
        do {
            return try JSONValue(parsing: [UInt8](try JSONEncoder().encode(value)))
        } catch {
            throw JsonEncodingFailed(fieldPath: "value", reason: "\(error)", className: "JSON")
        }
    }
}
