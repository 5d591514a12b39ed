public import JSONKit
import VerificationCore

extension JSONPointer {
    /// The members that restrict a credential, or that verifiers act on.
    private static let restrictingMembers = [
        "issuer", "validFrom", "validUntil", "issuanceDate", "expirationDate", "credentialStatus", "termsOfUse",
        "relatedResource",
    ]

    /// The places of what restricts a credential: its issuer, dates, status, terms of use and stated digests, as far as
    /// it has them.
    ///
    /// A verifier cannot notice the absence of what a holder leaves out. An issuer that does not make the status or the
    /// end of validity mandatory lets the holder present a credential without them.
    public static func restrictions(of credential: JSONObject) -> [JSONPointer] {
        restrictingMembers.filter(credential.contains).map { JSONPointer(tokens: [ExactText($0)]) }
    }
}
