public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The registered claims of a JWT as those of all formats: one of another type fails the check that reads it.
///
/// With them, a format that is made of JWTs has its claims checked by `ClaimsRules`.
public struct RegisteredJWTClaims: RegisteredClaims, Sendable {
    private let claims: JWTClaims

    /// Takes the claims of a token whose signature is verified.
    public init(_ claims: JWTClaims) {
        self.claims = claims
    }

    /// `iss`, or nil.
    public func issuer() throws(CheckFault) -> String? {
        try CheckFault.converting { () throws(JOSEError) in try claims.issuer() }
    }

    /// `sub`, or nil.
    public func subject() throws(CheckFault) -> String? {
        try CheckFault.converting { () throws(JOSEError) in try claims.subject() }
    }

    /// `aud`, or nil.
    public func audience() throws(CheckFault) -> [String]? {
        try CheckFault.converting { () throws(JOSEError) in try claims.audience() }
    }

    /// `exp`, or nil.
    public func expirationTime() throws(CheckFault) -> Date? {
        try CheckFault.converting { () throws(JOSEError) in try claims.expirationTime() }
    }

    /// `nbf`, or nil.
    public func notBefore() throws(CheckFault) -> Date? {
        try CheckFault.converting { () throws(JOSEError) in try claims.notBefore() }
    }

    /// `iat`, or nil.
    public func issuedAt() throws(CheckFault) -> Date? {
        try CheckFault.converting { () throws(JOSEError) in try claims.issuedAt() }
    }
}
