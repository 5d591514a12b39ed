public import JSONKit

/// A request for one attribute, or for the possession of a credential.
public struct AttributeRequest: IRMAMessage, ExpressibleByStringLiteral {
    /// The attribute, or a credential type as a whole.
    public var type: AttributeIdentifier
    /// The value that the attribute must have, or nil for any.
    public var value: String?
    /// Indicates that the attribute must be present; false by default, so that an absent optional attribute answers.
    public var isPresenceRequired: Bool

    /// Describes a request.
    public init(_ type: AttributeIdentifier, value: String? = nil, isPresenceRequired: Bool = false) {
        self.type = type
        self.value = value
        self.isPresenceRequired = isPresenceRequired
    }

    /// A request for an attribute with any value.
    public init(stringLiteral value: String) {
        self.init(AttributeIdentifier(value))
    }

    /// Reads a bare name, or the object `{"type", "value"?, "notNull"?}`.
    public init(json: JSONValue) throws(IRMAError) {
        if let text = json.stringValue {
            self.init(AttributeIdentifier(text))
            return
        }
        let members = try MessageMembers(json)
        self.init(
            try members.requiredMessage("type"),
            value: try members.text("value"),
            isPresenceRequired: try members.flag("notNull")
        )
    }

    /// The bare name, or an object where more than the name is demanded.
    public func json() -> JSONValue {
        guard value != nil || isPresenceRequired else { return type.json() }
        var object: JSONObject = ["type": type.json()]
        object.write("value", ifPresent: value)
        object.write("notNull", flag: isPresenceRequired)
        return .object(object)
    }

    /// Returns `true` if an attribute of this value, or an absent one (nil), answers the request.
    public func isSatisfied(by value: String?) -> Bool {
        guard let required = self.value else { return value != nil || !isPresenceRequired }
        return value?.hasSameBytes(as: required) == true
    }
}

extension AttributeRequest: Hashable {
    /// Compares types and values by their bytes.
    public static func == (left: AttributeRequest, right: AttributeRequest) -> Bool {
        left.type == right.type && left.value.map { ExactText($0) } == right.value.map { ExactText($0) }
            && left.isPresenceRequired == right.isPresenceRequired
    }

    /// Feeds what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(value.map { ExactText($0) })
        hasher.combine(isPresenceRequired)
    }
}
