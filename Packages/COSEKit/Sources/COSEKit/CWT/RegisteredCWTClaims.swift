public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The registered claims of a CWT as those of all formats: one of another type fails the check that reads it.
///
/// With them, a format that is made of CWTs has its claims checked by `ClaimsRules`.
public struct RegisteredCWTClaims: RegisteredClaims, Sendable {
    private let claims: CWTClaims

    /// Takes the claims of a token whose signature is verified.
    public init(_ claims: CWTClaims) {
        self.claims = claims
    }

    /// `iss`, or nil.
    public func issuer() throws(CheckFault) -> String? {
        try CheckFault.converting { () throws(COSEError) in try claims.issuer() }
    }

    /// `sub`, or nil.
    public func subject() throws(CheckFault) -> String? {
        try CheckFault.converting { () throws(COSEError) in try claims.subject() }
    }

    /// `aud`, or nil.
    public func audience() throws(CheckFault) -> [String]? {
        try CheckFault.converting { () throws(COSEError) in try claims.audience() }
    }

    /// `exp`, or nil.
    public func expirationTime() throws(CheckFault) -> Date? {
        try CheckFault.converting { () throws(COSEError) in try claims.expirationTime() }
    }

    /// `nbf`, or nil.
    public func notBefore() throws(CheckFault) -> Date? {
        try CheckFault.converting { () throws(COSEError) in try claims.notBefore() }
    }

    /// `iat`, or nil.
    public func issuedAt() throws(CheckFault) -> Date? {
        try CheckFault.converting { () throws(COSEError) in try claims.issuedAt() }
    }
}
