public import JOSEKit

/// Finds the key that a DID URL names.
public protocol DIDKeyResolver: Sendable {
    /// The key of a verification method, with what restricts it (`use`, `key_ops`, `alg`).
    ///
    /// - Parameters:
    ///   - url: A DID URL, such as `did:web:issuer.example#key-1`, or a DID that has one key only for the relationship.
    ///   - relationship: What the key is wanted for. A method that the DID's subject does not list for it is refused.
    /// - Throws: An ``SDJWTError``, such as one with the code ``SDJWTError/Code/issuerKeyNotFound``.
    func key(for url: String, relationship: VerificationRelationship) async throws(SDJWTError) -> JWK
}

/// What the subject of a DID uses a verification method for (Decentralized Identifiers 1.0, section 5.3), of an open set.
public struct VerificationRelationship: RawRepresentable, Hashable, Sendable {
    /// The name of the list in a DID document.
    public let rawValue: String

    /// A relationship by its name, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Proving to be the subject: what holders sign with.
    public static let authentication = VerificationRelationship(rawValue: "authentication")
    /// Making claims: what issuers sign with.
    public static let assertionMethod = VerificationRelationship(rawValue: "assertionMethod")
    /// Receiving what is encrypted to the subject.
    public static let keyAgreement = VerificationRelationship(rawValue: "keyAgreement")
}
