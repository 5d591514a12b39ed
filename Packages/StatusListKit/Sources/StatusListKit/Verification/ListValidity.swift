import CryptoCore
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The facts of a verified list that say for how long it may be used, and what tolerances let pass.
struct ListValidity: Sendable {
    let uri: String
    let claims: RegisteredClaimValues
    /// The chain of the list's signer, or nil for a key that the caller gave.
    let certificateChain: ValidatedCertificateChain?
    let deviations: [Deviation]

    /// Verifies that a kept list is still valid: its claims, and the certificates of its signer.
    func verification<List>(of list: List, policy: StatusListPolicy, at time: Date) -> Verification<List> {
        var checklist = Checklist(ClaimsRules.checks + [.issuerTrust], at: time)
        for deviation in deviations { checklist.add(deviation) }
        policy.claimsRules(for: uri).check(claims, in: &checklist)
        checklist.check(.issuerTrust) { () throws(CheckFault) in
            guard let certificateChain else { throw .notApplicable("the caller gave the key") }
            guard certificateChain.isWithinValidity(at: time) else {
                throw .failed(.issuerNotTrusted, "a certificate of the signer is not valid at this time")
            }
        }
        return checklist.verification(of: list)
    }
}
