public import JOSEKit

/// Finds the key that a DID URL names.
public protocol DIDKeyResolver: Sendable {
    /// The key of a verification method, with its restrictions (`use`, `key_ops`, `alg`).
    ///
    /// - Parameters:
    ///   - url: A DID URL, such as `did:web:issuer.example#key-1`, or a DID that has only one key for the relationship.
    ///   - relationship: The purpose of the key. A method that the DID does not list for it is refused.
    /// - Throws: An ``SDJWTError``, such as one with the code ``SDJWTError/Code/issuerKeyNotFound``.
    func key(for url: String, relationship: VerificationRelationship) async throws(SDJWTError) -> JWK
}

/// The purpose of a verification method for the subject of a DID, of an open set (Decentralized Identifiers 1.0,
/// section 5.3).
public struct VerificationRelationship: RawRepresentable, Hashable, Sendable {
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
}
