public import JSONKit

/// A disjunction of the older form: single attributes to choose from, under a label.
public struct LegacyDisjunction: Hashable, IRMAMessage {
    /// The text for the user.
    public var label: String
    /// The attributes, in their order, with the value that each must have or nil for any.
    public var attributes: [AttributeRequest]
    /// Indicates the form of an object of values by attribute, instead of an array of attributes.
    public var hasValues: Bool

    /// Describes a disjunction.
    public init(label: String, attributes: [AttributeRequest]) {
        self.label = label
        self.attributes = attributes
        hasValues = attributes.contains { $0.value != nil }
    }

    /// Reads the object `{"label", "attributes": [name] or {name: value|null}}`.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        label = try members.text("label") ?? ""
        let attributes = try members.required("attributes") { json throws(IRMAError) in
            guard let object = json.objectValue else {
                return try json.elements { json throws(IRMAError) in
                    AttributeRequest(try AttributeIdentifier(json: json))
                }
            }
            var attributes: [AttributeRequest] = []
            for (name, value) in object {
                do throws(IRMAError) {
                    attributes.append(AttributeRequest(AttributeIdentifier(name), value: try value.optionalText()))
                } catch {
                    throw error.inside(name)
                }
            }
            return attributes
        }
        self.attributes = attributes
        hasValues = try members.value("attributes")?.objectValue != nil
    }

    /// The disjunction as an object.
    public func json() -> JSONValue {
        let attributes: JSONValue
        if hasValues {
            attributes = .object(
                JSONObject(self.attributes.map { ($0.type.text, $0.value.map { .string($0) } ?? .null) })
            )
        } else {
            attributes = .array(self.attributes.map { $0.type.json() })
        }
        return ["label": .string(label), "attributes": attributes]
    }
}
