#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The times of a token.
struct StatusListTimes {
    let issuedAt: Date
    let notBefore: Date?
    let expirationTime: Date?

    /// Refuses times that do not go with the policy at a time.
    func requireCurrent(_ policy: StatusListPolicy, at now: Date) throws(StatusListError) {
        guard issuedAt.timeIntervalSince(now) <= policy.leeway else {
            throw Self.error(.issuedInFuture, "the token was issued at \(issuedAt)", "iat")
        }
        if let maximumAge = policy.maximumAge, now.timeIntervalSince(issuedAt) > maximumAge + policy.leeway {
            throw Self.error(.tooOld, "the token was issued at \(issuedAt)", "iat")
        }
        if let notBefore, notBefore.timeIntervalSince(now) > policy.leeway {
            throw Self.error(.notYetValid, "the token is valid from \(notBefore)", "nbf")
        }
        guard let expirationTime else {
            guard !policy.requiresExpirationTime else {
                throw Self.error(.missingClaim, "the claim is not there", "exp")
            }
            return
        }
        guard now.timeIntervalSince(expirationTime) < policy.leeway else {
            throw Self.error(.expired, "the token expired at \(expirationTime)", "exp")
        }
    }

    private static func error(_ code: StatusListError.Code, _ message: String, _ claim: String) -> StatusListError {
        StatusListError(code, message, path: ["token", claim])
    }
}
