import JSONKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JWTClaimsPolicy {
    /// Runs every check, in order, and returns the outcome of each.
    ///
    /// - Parameters:
    ///   - claims: The claims of a verified token.
    ///   - header: The header that was verified with them.
    ///   - now: The time.
    public func checks(of claims: JWTClaims, header: JOSEHeader, at now: Date = Date()) -> [JWTCheck] {
        let checks: [(JWTCheck.Name, () throws(JOSEError) -> Void)] = [
            (.type, { () throws(JOSEError) in try checkType(header) }),
            (.requiredClaims, { () throws(JOSEError) in try checkRequiredClaims(claims) }),
            (.issuer, { () throws(JOSEError) in try checkIssuer(claims) }),
            (.subject, { () throws(JOSEError) in try checkSubject(claims) }),
            (.audience, { () throws(JOSEError) in try checkAudience(claims) }),
            (.nonce, { () throws(JOSEError) in try checkNonce(claims) }),
            (.expirationTime, { () throws(JOSEError) in try checkExpirationTime(claims, now) }),
            (.notBefore, { () throws(JOSEError) in try checkNotBefore(claims, now) }),
            (.issuedAt, { () throws(JOSEError) in try checkIssuedAt(claims, now) }),
        ]
        return checks.map { name, check in
            do throws(JOSEError) {
                try check()
                return JWTCheck(name: name, failure: nil)
            } catch {
                return JWTCheck(name: name, failure: error)
            }
        }
    }

    /// Refuses a token that fails a check, with the failure of the first.
    func require(_ claims: JWTClaims, header: JOSEHeader, at now: Date) throws(JOSEError) {
        if let failure = checks(of: claims, header: header, at: now).lazy.compactMap(\.failure).first { throw failure }
    }

    private func checkType(_ header: JOSEHeader) throws(JOSEError) {
        let found = try header.type().map { MediaType($0) }
        guard !ignoresType else { return }
        guard let types else {
            if let found, found != MediaType("JWT") {
                throw JOSEError(.wrongType, "the token is of an explicit type, not a plain one", path: ["typ"])
            }
            return
        }
        guard let found, types.contains(where: { MediaType($0) == found }) else {
            throw JOSEError(.wrongType, "the token is not of an expected type", path: ["typ"])
        }
    }

    private func checkRequiredClaims(_ claims: JWTClaims) throws(JOSEError) {
        let missing = requiredClaims.filter { !claims.contains($0) }.sorted()
        guard missing.isEmpty else {
            throw JOSEError(.missingClaim, "claims \(missing.joined(separator: ", ")) are not there")
        }
    }

    private func checkIssuer(_ claims: JWTClaims) throws(JOSEError) {
        let issuer = try claims.issuer()
        guard let issuers else { return }
        guard let issuer else { throw missing("iss") }
        guard issuers.contains(where: { $0.hasSameBytes(as: issuer) }) else {
            throw JOSEError(.claimMismatch, "the token is from another issuer", path: ["iss"])
        }
    }

    private func checkSubject(_ claims: JWTClaims) throws(JOSEError) {
        let found = try claims.subject()
        guard let subject else { return }
        guard let found else { throw missing("sub") }
        guard found.hasSameBytes(as: subject) else {
            throw JOSEError(.claimMismatch, "the token is about another subject", path: ["sub"])
        }
    }

    private func checkAudience(_ claims: JWTClaims) throws(JOSEError) {
        let found = try claims.audience()
        guard !ignoresAudience else { return }
        guard let audience else {
            if found != nil {
                throw JOSEError(.claimMismatch, "the receiver has no name in an audience", path: ["aud"])
            }
            return
        }
        guard let found else { throw missing("aud") }
        guard found.contains(where: { $0.hasSameBytes(as: audience) }) else {
            throw JOSEError(.claimMismatch, "the token is for another audience", path: ["aud"])
        }
    }

    private func checkNonce(_ claims: JWTClaims) throws(JOSEError) {
        guard let nonce else { return }
        guard let found = try claims.nonce() else { throw missing("nonce") }
        guard found.hasSameBytes(as: nonce) else {
            throw JOSEError(.claimMismatch, "the token carries another nonce", path: ["nonce"])
        }
    }

    fileprivate func missing(_ name: String) -> JOSEError {
        JOSEError(.missingClaim, "the claim is not there", path: [name])
    }
}

/// Times.
extension JWTClaimsPolicy {
    fileprivate func checkExpirationTime(_ claims: JWTClaims, _ now: Date) throws(JOSEError) {
        guard let expiration = try claims.expirationTime() else { return }
        guard now.timeIntervalSince(expiration) < leeway else {
            throw JOSEError(.expired, "the token expired at \(expiration)", path: ["exp"])
        }
    }

    fileprivate func checkNotBefore(_ claims: JWTClaims, _ now: Date) throws(JOSEError) {
        guard let start = try claims.notBefore() else { return }
        guard start.timeIntervalSince(now) <= leeway else {
            throw JOSEError(.notYetValid, "the token is valid from \(start)", path: ["nbf"])
        }
    }

    fileprivate func checkIssuedAt(_ claims: JWTClaims, _ now: Date) throws(JOSEError) {
        guard let issued = try claims.issuedAt() else {
            if maximumAge != nil { throw missing("iat") }
            return
        }
        guard issued.timeIntervalSince(now) <= leeway else {
            throw JOSEError(.issuedInFuture, "the token was issued at \(issued)", path: ["iat"])
        }
        if let maximumAge, now.timeIntervalSince(issued) > maximumAge + leeway {
            throw JOSEError(.tooOld, "the token was issued at \(issued)", path: ["iat"])
        }
    }
}
