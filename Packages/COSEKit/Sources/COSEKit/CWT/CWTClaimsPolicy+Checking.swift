#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CWTClaimsPolicy {
    /// Runs every check, in order, and returns the outcome of each.
    ///
    /// - Parameters:
    ///   - claims: The claims of a verified token.
    ///   - now: The time.
    public func checks(of claims: CWTClaims, at now: Date = Date()) -> [CWTCheck] {
        let checks: [(CWTCheck.Name, () throws(COSEError) -> Void)] = [
            (.requiredClaims, { () throws(COSEError) in try checkRequiredClaims(claims) }),
            (.issuer, { () throws(COSEError) in try checkIssuer(claims) }),
            (.subject, { () throws(COSEError) in try checkSubject(claims) }),
            (.audience, { () throws(COSEError) in try checkAudience(claims) }),
            (.expirationTime, { () throws(COSEError) in try checkExpirationTime(claims, now) }),
            (.notBefore, { () throws(COSEError) in try checkNotBefore(claims, now) }),
            (.issuedAt, { () throws(COSEError) in try checkIssuedAt(claims, now) }),
        ]
        return checks.map { name, check in
            do throws(COSEError) {
                try check()
                return CWTCheck(name: name, failure: nil)
            } catch {
                return CWTCheck(name: name, failure: error)
            }
        }
    }

    /// Refuses claims that fail a check, with the failure of the first.
    func require(_ claims: CWTClaims, at now: Date) throws(COSEError) {
        if let failure = checks(of: claims, at: now).lazy.compactMap(\.failure).first { throw failure }
    }

    private func checkRequiredClaims(_ claims: CWTClaims) throws(COSEError) {
        let present = Set(claims.labels)
        let missing = requiredClaims.subtracting(present).map(\.description).sorted()
        guard missing.isEmpty else {
            throw COSEError(.missingClaim, "claims \(missing.joined(separator: ", ")) are not there")
        }
    }

    private func checkIssuer(_ claims: CWTClaims) throws(COSEError) {
        let issuer = try claims.issuer()
        guard let issuers else { return }
        guard let issuer else { throw missing("iss") }
        guard issuers.contains(where: { $0.utf8.elementsEqual(issuer.utf8) }) else {
            throw COSEError(.claimMismatch, "the token is from another issuer", path: ["iss"])
        }
    }

    private func checkSubject(_ claims: CWTClaims) throws(COSEError) {
        let found = try claims.subject()
        guard let subject else { return }
        guard let found else { throw missing("sub") }
        guard found.utf8.elementsEqual(subject.utf8) else {
            throw COSEError(.claimMismatch, "the token is about another subject", path: ["sub"])
        }
    }

    private func checkAudience(_ claims: CWTClaims) throws(COSEError) {
        let found = try claims.audience()
        guard !ignoresAudience else { return }
        guard let audience else {
            if found != nil {
                throw COSEError(.claimMismatch, "the receiver has no name in an audience", path: ["aud"])
            }
            return
        }
        guard let found else { throw missing("aud") }
        guard found.contains(where: { $0.utf8.elementsEqual(audience.utf8) }) else {
            throw COSEError(.claimMismatch, "the token is for another audience", path: ["aud"])
        }
    }

    private func checkExpirationTime(_ claims: CWTClaims, _ now: Date) throws(COSEError) {
        guard let expiration = try claims.expirationTime() else { return }
        guard now.timeIntervalSince(expiration) < leeway else {
            throw COSEError(.expired, "the token expired at \(expiration)", path: ["exp"])
        }
    }

    private func checkNotBefore(_ claims: CWTClaims, _ now: Date) throws(COSEError) {
        guard let start = try claims.notBefore() else { return }
        guard start.timeIntervalSince(now) <= leeway else {
            throw COSEError(.notYetValid, "the token is valid from \(start)", path: ["nbf"])
        }
    }

    private func checkIssuedAt(_ claims: CWTClaims, _ now: Date) throws(COSEError) {
        guard let issued = try claims.issuedAt() else {
            if maximumAge != nil { throw missing("iat") }
            return
        }
        guard issued.timeIntervalSince(now) <= leeway else {
            throw COSEError(.issuedInFuture, "the token was issued at \(issued)", path: ["iat"])
        }
        if let maximumAge, now.timeIntervalSince(issued) > maximumAge + leeway {
            throw COSEError(.tooOld, "the token was issued at \(issued)", path: ["iat"])
        }
    }

    private func missing(_ name: String) -> COSEError {
        COSEError(.missingClaim, "the claim is not there", path: [name])
    }
}
