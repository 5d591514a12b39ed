public import JOSEKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds the key of an issuer, and decides whether it is trusted (SD-JWT VC, key discovery and validation).
///
/// An implementation returns a key only for issuers that the recipient trusts. The header and the issuer's name are
/// unverified and come from the sender; use them for lookup only.
public protocol IssuerKeyResolver: Sendable {
    /// The key that the issuer's signature must verify with.
    ///
    /// - Parameters:
    ///   - header: The protected header of the issuer-signed JWT.
    ///   - issuer: The value of `iss`, or nil if it is absent.
    ///   - time: The time for which the SD-JWT is verified.
    /// - Throws: An ``SDJWTError``, such as one with the code ``SDJWTError/Code/issuerKeyNotFound`` or
    ///   ``SDJWTError/Code/issuerNotTrusted``.
    func key(for header: JOSEHeader, issuer: String?, at time: Date) async throws(SDJWTError) -> IssuerKey
}
