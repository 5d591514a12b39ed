import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension MetadataAttribute {
    /// The reason that a credential is not valid at a time, or `nil` if it is.
    ///
    /// It names both times: the end of the period that is exceeded, and the time of the verification.
    func deviation(from time: VerificationTime, publicKey: IdemixIssuerPublicKey) -> (Reason, String)? {
        guard signingDate.timeIntervalSince(time.now) <= time.clockSkew else {
            return (
                .notYetValid,
                "it is valid from \(VerificationTime.text(signingDate)), and it is \(VerificationTime.text(time.now))"
            )
        }
        guard time.now.timeIntervalSince(expiryDate) < time.clockSkew else {
            return (
                .expired,
                "it expired at \(VerificationTime.text(expiryDate)), and it is \(VerificationTime.text(time.now))"
            )
        }
        return deviation(from: publicKey)
    }

    /// The reason that a credential was signed too late for its issuer's key, or `nil` if it was not.
    func deviation(from publicKey: IdemixIssuerPublicKey) -> (Reason, String)? {
        guard signingDate > publicKey.expiryDate else { return nil }
        let keyExpiry = VerificationTime.text(publicKey.expiryDate)
        return (
            .expired,
            "it was signed at \(VerificationTime.text(signingDate)), after the issuer's key expired at \(keyExpiry)"
        )
    }
}
