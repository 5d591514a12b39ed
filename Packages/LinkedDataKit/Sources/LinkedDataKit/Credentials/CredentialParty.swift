public import JSONKit
public import VerificationCore

/// An issuer or a holder: its identifier and what else is said about it.
public struct CredentialParty: Hashable, Sendable {
    /// The identifier: an absolute IRI, such as a DID.
    public let id: ExactText
    /// All members, the identifier among them.
    public let members: JSONObject

    init(id: ExactText, members: JSONObject) {
        self.id = id
        self.members = members
    }
}

/// A subject of a credential, with its claims.
public struct CredentialSubject: Hashable, Sendable {
    /// The identifier, or nil for a subject without one.
    public let id: ExactText?
    /// The claims, with the identifier.
    public let members: JSONObject

    init(id: ExactText?, members: JSONObject) {
        self.id = id
        self.members = members
    }
}
