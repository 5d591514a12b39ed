public import VerificationCore

// The reasons of a refused revocation list; it shares others with certificate paths.
extension Reason {
    /// The list was issued by another authority than the given one, or with another key.
    public static let issuerMismatch: Reason = "issuerMismatch"
    /// The authority's key may not sign revocation lists.
    public static let listSigningNotAllowed: Reason = "listSigningNotAllowed"
    /// The content of an extension cannot be read.
    public static let malformedExtension: Reason = "malformedExtension"
    /// The list is about certificates of other issuers too.
    public static let indirectList: Reason = "indirectList"
    /// The list is a delta, or limited to some reasons or to attribute certificates.
    public static let partialList: Reason = "partialList"
}
