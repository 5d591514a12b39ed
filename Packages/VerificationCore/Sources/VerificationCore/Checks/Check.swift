/// A check of a verification, by name: an open set that all formats share.
///
/// Layers and users add members of their own:
///
/// ```swift
/// extension Check {
///     static let ageLimit: Check = "ageLimit"
/// }
/// ```
public struct Check: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name, in lower camel case.
    public let name: String

    /// Names a check.
    public init(_ name: String) {
        self.name = name
    }

    /// Names a check.
    public init(stringLiteral value: String) {
        name = value
    }

    /// The name.
    public var description: String { name }
}

extension Check {
    /// The structure follows the format's rules.
    public static let structure: Check = "structure"
    /// The type of the object, such as `typ`, is an expected one.
    public static let type: Check = "type"
    /// The type of the credential is an expected one.
    public static let credentialType: Check = "credentialType"
    /// All algorithms are accepted ones.
    public static let algorithm: Check = "algorithm"
    /// The issuer's key is known, and belongs to the issuer.
    public static let issuerKey: Check = "issuerKey"
    /// The issuer is trusted for this credential.
    public static let issuerTrust: Check = "issuerTrust"
    /// A signature or MAC.
    public static let signature: Check = "signature"
    /// Enough of the object's signatures verify.
    public static let signatures: Check = "signatures"
    /// The issuer's signature.
    public static let issuerSignature: Check = "issuerSignature"
    /// The presented data match the issuer's digests.
    public static let digests: Check = "digests"
    /// The issuer, as the object names it, is an expected one.
    public static let issuer: Check = "issuer"
    /// The subject, as the object names it, is the expected one.
    public static let subject: Check = "subject"
    /// The audience includes the verifier.
    public static let audience: Check = "audience"
    /// The nonce is the verifier's.
    public static let nonce: Check = "nonce"
    /// The required claims are present.
    public static let requiredClaims: Check = "requiredClaims"
    /// The time lies within the period of validity.
    public static let validity: Check = "validity"
    /// The time of issuance is not in the future, and recent enough.
    public static let issuedAt: Check = "issuedAt"
    /// The credential is neither revoked nor suspended.
    public static let status: Check = "status"
    /// The holder has proved possession of the key that the credential is bound to.
    public static let holderBinding: Check = "holderBinding"
}
