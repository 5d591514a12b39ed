public import JSONKit

/// An attribute that was shown, as results list it.
public struct DisclosedAttribute: Hashable, IRMAMessage {
    /// The attribute, or the credential type as a whole.
    public var id: AttributeIdentifier
    /// The value; `present` for a credential as a whole, nil for an absent optional attribute.
    public var rawValue: String?
    /// The value in each language; nil for an absent optional attribute.
    public var value: TranslatedText?
    /// The status.
    public var status: AttributeStatus
    /// The time of issuance, to the week, in seconds since 1970.
    public var issuanceTime: Int64
    /// Indicates that the credential was proved not to be revoked.
    public var isNotRevoked: Bool
    /// The time before which the credential was not revoked, in seconds since 1970; nil if the proof is recent enough.
    public var notRevokedBefore: Int64?

    /// Describes an attribute.
    public init(
        _ id: AttributeIdentifier,
        rawValue: String?,
        status: AttributeStatus,
        issuanceTime: Int64,
        isNotRevoked: Bool = false,
        notRevokedBefore: Int64? = nil
    ) {
        self.id = id
        self.rawValue = rawValue
        value = rawValue.map { TranslatedText(rawValue: $0) }
        self.status = status
        self.issuanceTime = issuanceTime
        self.isNotRevoked = isNotRevoked
        self.notRevokedBefore = notRevokedBefore
    }

    /// Reads the object.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        id = try members.requiredMessage("id")
        rawValue = try members.text("rawvalue")
        value = try members.message("value")
        status = try members.requiredMessage("status")
        issuanceTime = try members.number("issuancetime") ?? 0
        isNotRevoked = try members.flag("notrevoked")
        notRevokedBefore = try members.number("notrevokedbefore")
    }

    /// The attribute as an object; an absent value is `null`.
    public func json() throws(IRMAError) -> JSONValue {
        var object: JSONObject = [
            "rawvalue": rawValue.map { .string($0) } ?? .null,
            "value": try value?.json() ?? .null,
        ]
        try object.write("id", id)
        try object.write("status", status)
        object["issuancetime"] = .integer(issuanceTime)
        object.write("notrevoked", flag: isNotRevoked)
        object.write("notrevokedbefore", ifPresent: notRevokedBefore)
        return .object(object)
    }
}
