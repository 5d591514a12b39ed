/// The purpose of a verification method for the subject of a DID, of an open set (Decentralized Identifiers 1.0,
/// section 5.3).
public struct VerificationRelationship: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name of the list in a DID document.
    public let rawValue: String

    /// A relationship by its name, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Proving to be the subject: for holders' signatures.
    public static let authentication = VerificationRelationship(rawValue: "authentication")
    /// Making claims: for issuers' signatures.
    public static let assertionMethod = VerificationRelationship(rawValue: "assertionMethod")
    /// Receiving messages encrypted to the subject.
    public static let keyAgreement = VerificationRelationship(rawValue: "keyAgreement")
    /// Invoking a capability.
    public static let capabilityInvocation = VerificationRelationship(rawValue: "capabilityInvocation")
    /// Delegating a capability.
    public static let capabilityDelegation = VerificationRelationship(rawValue: "capabilityDelegation")

    /// The relationships of the standard, in its order.
    public static let all: [VerificationRelationship] = [
        .authentication, .assertionMethod, .keyAgreement, .capabilityInvocation, .capabilityDelegation,
    ]

    /// The name.
    public var description: String { rawValue }
}
