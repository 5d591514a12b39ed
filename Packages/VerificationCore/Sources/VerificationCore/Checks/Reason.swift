/// The reason that a check failed or could not be made, by name: an open set that all formats share.
///
/// Programs act on reasons; messages are for people.
public struct Reason: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name, in lower camel case.
    public let name: String

    /// Names a reason.
    public init(_ name: String) {
        self.name = name
    }

    /// Names a reason.
    public init(stringLiteral value: String) {
        name = value
    }

    /// The name.
    public var description: String { name }
}

extension Reason {
    /// The structure does not follow the format's rules.
    public static let malformed: Reason = "malformed"
    /// A limit on size or number is exceeded.
    public static let limitExceeded: Reason = "limitExceeded"
    /// The type is not an expected one.
    public static let unexpectedType: Reason = "unexpectedType"
    /// An algorithm is not accepted.
    public static let algorithmNotAllowed: Reason = "algorithmNotAllowed"
    /// No key of the issuer is known.
    public static let issuerKeyNotFound: Reason = "issuerKeyNotFound"
    /// The issuer is not trusted for this credential.
    public static let issuerNotTrusted: Reason = "issuerNotTrusted"
    /// There are fewer signatures than must verify.
    public static let notEnoughSignatures: Reason = "notEnoughSignatures"
    /// The issuer's signature does not verify.
    public static let invalidIssuerSignature: Reason = "invalidIssuerSignature"
    /// Presented data do not match the issuer's digests.
    public static let digestMismatch: Reason = "digestMismatch"
    /// A required claim is missing.
    public static let missingClaim: Reason = "missingClaim"
    /// A claim is not of the form that its definition demands.
    public static let invalidClaim: Reason = "invalidClaim"
    /// A claim has another value than the expected one.
    public static let claimMismatch: Reason = "claimMismatch"
    /// The period of validity is over.
    public static let expired: Reason = "expired"
    /// The period of validity has not begun.
    public static let notYetValid: Reason = "notYetValid"
    /// The time of issuance is in the future.
    public static let issuedInFuture: Reason = "issuedInFuture"
    /// The time of issuance is too long ago.
    public static let tooOld: Reason = "tooOld"
    /// The credential is revoked.
    public static let revoked: Reason = "revoked"
    /// The credential is suspended.
    public static let suspended: Reason = "suspended"
    /// The status is not known, or has no common meaning.
    public static let statusUnknown: Reason = "statusUnknown"
    /// The holder's proof of possession is missing or does not verify.
    public static let invalidHolderBinding: Reason = "invalidHolderBinding"
    /// A mandatory check was not reached.
    public static let incomplete: Reason = "incomplete"
    /// A function of the caller failed.
    public static let operationFailed: Reason = "operationFailed"
}
