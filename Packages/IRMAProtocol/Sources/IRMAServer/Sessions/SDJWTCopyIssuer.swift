public import IRMAMessages
public import JOSEKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Issues SD-JWT VCs as copies of the credentials of a session, which wallets present over OpenID4VP.
///
/// A request names the number of copies of each credential (`sdJwtBatchSize`), and a wallet that can keep them sends a key for
/// each. A wallet that sends none gets the IRMA credentials alone.
///
/// A copy has its own expiry, and no revocation: what the authority of an IRMA credential revokes ends no copy.
public protocol SDJWTCopyIssuer: Sendable {
    /// Refuses a credential of which no copies can be issued, before its session starts.
    ///
    /// - Throws: `IRMAServerError` with the code ``IRMAServerError/Code/copyRefused`` and a message for the requestor.
    func check(_ credential: CredentialRequest, at time: Date) throws(IRMAServerError)

    /// Issues a copy for each key.
    ///
    /// - Parameters:
    ///   - credential: The credential, complete: its validity is there.
    ///   - keys: The wallet's public keys, one for each copy.
    ///   - time: The time of issuance.
    /// - Returns: The SD-JWTs in compact form with all disclosures, in the order of the keys.
    /// - Throws: `IRMAServerError` with the code ``IRMAServerError/Code/copyRefused``, which ends the session.
    func copies(
        of credential: CredentialRequest,
        boundTo keys: [JWK],
        at time: Date
    ) async throws(IRMAServerError) -> [String]
}
