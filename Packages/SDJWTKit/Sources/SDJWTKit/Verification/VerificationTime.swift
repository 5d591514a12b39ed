import JOSEKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The time for which something is verified, and how much clocks may differ.
struct VerificationTime {
    let now: Date
    let leeway: TimeInterval

    /// Refuses claims whose `nbf` has not come or whose `exp` has passed.
    func requirePeriod(of claims: JWTClaims) throws(SDJWTError) {
        let start = try reading(jose: .invalidClaim) { () throws(JOSEError) in try claims.notBefore() }
        if let start, start.timeIntervalSince(now) > leeway {
            throw SDJWTError(.notYetValid, "it is valid from \(start)", path: ["nbf"])
        }
        let end = try reading(jose: .invalidClaim) { () throws(JOSEError) in try claims.expirationTime() }
        if let end, now.timeIntervalSince(end) >= leeway {
            throw SDJWTError(.expired, "it expired at \(end)", path: ["exp"])
        }
    }

    /// Refuses the claims of a Key Binding JWT that was not made lately (RFC 9901, section 7.3).
    func requireFreshness(of claims: JWTClaims, maximumAge: TimeInterval) throws(SDJWTError) {
        guard let issued = try reading(jose: .invalidClaim, { () throws(JOSEError) in try claims.issuedAt() }) else {
            throw SDJWTError(.missingClaim, "the claim is not there", path: ["iat"])
        }
        guard issued.timeIntervalSince(now) <= leeway else {
            throw SDJWTError(.issuedInFuture, "it was made at \(issued)", path: ["iat"])
        }
        guard now.timeIntervalSince(issued) <= maximumAge + leeway else {
            throw SDJWTError(.tooOld, "it was made at \(issued)", path: ["iat"])
        }
        try requirePeriod(of: claims)
    }

    /// Refuses claims that say to have been issued in the future.
    func requireIssued(_ claims: JWTClaims) throws(SDJWTError) {
        guard let issued = try reading(jose: .invalidClaim, { () throws(JOSEError) in try claims.issuedAt() }) else {
            return
        }
        guard issued.timeIntervalSince(now) <= leeway else {
            throw SDJWTError(.issuedInFuture, "it was issued at \(issued)", path: ["iat"])
        }
    }
}
