#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ClaimsRules {
    /// The checks that ``check(_:in:)`` makes, in its order.
    public static let checks: [Check] = [.issuer, .subject, .audience, .validity, .issuedAt]

    /// Makes the checks of the claims: issuer, subject, audience, validity and time of issuance.
    public func check(_ claims: some RegisteredClaims, in checklist: inout Checklist) {
        let time = VerificationTime(checklist.time, clockSkew: clockSkew)
        checklist.check(.issuer) { () throws(CheckFault) in try checkIssuer(claims) }
        checklist.check(.subject) { () throws(CheckFault) in try checkSubject(claims) }
        checklist.check(.audience) { () throws(CheckFault) in try checkAudience(claims) }
        checklist.check(.validity) { () throws(CheckFault) in try checkValidity(claims, time) }
        checklist.check(.issuedAt) { () throws(CheckFault) in try checkIssuedAt(claims, time) }
    }

    private func checkIssuer(_ claims: some RegisteredClaims) throws(CheckFault) {
        let found = try claims.issuer()
        guard let issuers else { return }
        guard let found else { throw .missingClaim("iss") }
        guard issuers.contains(ExactText(found)) else {
            throw .failed(.claimMismatch, "\(found) is not an accepted issuer", path: ["iss"])
        }
    }

    private func checkSubject(_ claims: some RegisteredClaims) throws(CheckFault) {
        let found = try claims.subject()
        guard let subject else { return }
        guard let found else { throw .missingClaim("sub") }
        guard subject == ExactText(found) else {
            throw .failed(.claimMismatch, "\(found) is not the expected subject", path: ["sub"])
        }
    }

    private func checkAudience(_ claims: some RegisteredClaims) throws(CheckFault) {
        let found = try claims.audience()
        switch audience {
        case .any: return
        case .absent:
            guard found == nil else {
                throw .failed(.claimMismatch, "the verifier has no name in an audience", path: ["aud"])
            }
        case .named(let name):
            guard let found else { throw .missingClaim("aud") }
            try require(name, in: found)
        case .namedIfPresent(let name):
            if let found { try require(name, in: found) }
        }
    }

    private func require(_ name: ExactText, in audience: [String]) throws(CheckFault) {
        guard audience.contains(where: { name == ExactText($0) }) else {
            throw .failed(.claimMismatch, "the audience does not include \(name)", path: ["aud"])
        }
    }

    private func checkValidity(_ claims: some RegisteredClaims, _ time: VerificationTime) throws(CheckFault) {
        let expiration = try claims.expirationTime()
        let start = try claims.notBefore()
        if let expiration {
            try time.requireNotExpired(at: expiration)
        } else if requiresExpirationTime {
            throw .missingClaim("exp")
        }
        if let start { try time.requireBegun(at: start) }
    }

    private func checkIssuedAt(_ claims: some RegisteredClaims, _ time: VerificationTime) throws(CheckFault) {
        if let issued = try claims.issuedAt() {
            try time.requireIssued(at: issued, maximumAge: maximumAge)
        } else if maximumAge != nil {
            throw .missingClaim("iat")
        }
    }
}

extension CheckFault {
    /// Fails a check since a claim is missing.
    public static func missingClaim(_ name: String) -> CheckFault {
        .failed(.missingClaim, "the claim is missing", path: [name])
    }
}
