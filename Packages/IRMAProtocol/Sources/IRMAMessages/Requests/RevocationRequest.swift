public import JSONKit

/// A requestor's message that revokes credentials (`POST revocation`).
public struct RevocationRequest: Hashable, IRMAMessage {
    /// The credential type.
    public var type: CredentialTypeIdentifier
    /// The issuer's name for the credential, which it was issued with.
    public var revocationKey: String
    /// The time of issuance in nanoseconds since 1970, or nil for all credentials with the key.
    public var issued: Int64?

    /// Describes a revocation.
    public init(_ type: CredentialTypeIdentifier, revocationKey: String, issued: Int64? = nil) {
        self.type = type
        self.revocationKey = revocationKey
        self.issued = issued
    }

    /// Reads the object `{"@context", "type", "revocationKey", "issued"?}`; no credential has the empty key of an object without one.
    ///
    /// An `issued` of 0 counts as absent, as for the existing server.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        guard MessageContext(try members.requiredText("@context")) == .revocationRequest else {
            throw IRMAError(.malformed, "not the context of a revocation request", path: ["@context"])
        }
        self.init(
            try members.requiredMessage("type"),
            revocationKey: try members.text("revocationKey") ?? "",
            issued: try members.number("issued").flatMap { $0 == 0 ? nil : $0 }
        )
    }

    /// The request as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object: JSONObject = ["@context": .string(MessageContext.revocationRequest.text)]
        try object.write("type", type)
        object["revocationKey"] = .string(revocationKey)
        object.write("issued", ifPresent: issued)
        return .object(object)
    }
}
