public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CWTClaimsPolicy {
    /// The checks of the claims, in their order.
    public static let checks: [Check] = [.requiredClaims] + ClaimsRules.checks

    /// Verifies the claims of a token whose messages are verified.
    ///
    /// - Parameters:
    ///   - claims: The claims.
    ///   - time: The time.
    public func verify(_ claims: CWTClaims, at time: Date) -> Verification<CWTClaims> {
        var checklist = Checklist(Self.checks, at: time)
        check(claims, in: &checklist)
        return checklist.verification(of: claims)
    }

    /// Makes the checks of the claims.
    func check(_ claims: CWTClaims, in checklist: inout Checklist) {
        checklist.check(.requiredClaims) { () throws(CheckFault) in
            let missing = requiredClaims.subtracting(claims.labels).map(\.description).sorted()
            guard missing.isEmpty else {
                throw .failed(.missingClaim, "claims \(missing.joined(separator: ", ")) are not there")
            }
        }
        rules.check(RegisteredCWTClaims(claims), in: &checklist)
    }
}
