public import CryptoCore
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An identifier list whose signature was verified and whose claims passed the policy.
///
/// Only ``IdentifierListToken/verify(for:anchors:signers:policy:at:)`` makes values of this type.
public struct VerifiedIdentifierList: Sendable {
    /// The name of the list (`sub`): the `uri` of the references to it.
    public let uri: String
    /// When the token was issued (`iat`).
    public let issuedAt: Date
    /// For how many seconds the token may be kept before a fresh one should be fetched (`ttl`), or nil.
    public let timeToLive: TimeInterval?
    /// The identifiers of the credentials that are revoked.
    public let identifiers: Set<ArraySlice<UInt8>>
    /// The address at which the same issuer enumerates its lists, or nil.
    public let aggregationURI: String?
    /// The chain of the list's signer.
    public let certificateChain: ValidatedCertificateChain
    /// The token, as it was received.
    public let token: IdentifierListToken

    private let validity: ListValidity

    init(
        _ claims: TokenClaims,
        _ content: IdentifierListClaims.Content,
        _ token: IdentifierListToken,
        _ signer: ListSigner,
        for uri: String
    ) {
        validity = ListValidity(
            uri: uri,
            claims: claims.registered,
            certificateChain: signer.chain,
            deviations: signer.deviations
        )
        self.uri = uri
        issuedAt = claims.issuedAt
        timeToLive = claims.timeToLive
        identifiers = content.identifiers
        aggregationURI = content.aggregationURI
        certificateChain = signer.chain
        self.token = token
    }

    /// The deviations that tolerances let pass when the token was verified.
    public var deviations: [Deviation] { validity.deviations }
    /// When the token expires (`exp`), or nil.
    public var expirationTime: Date? { validity.claims.expirationTime() }

    /// Returns `true` if a credential with an identifier is revoked.
    public func contains(_ identifier: some Collection<UInt8>) -> Bool {
        identifiers.contains(Array(identifier)[...])
    }

    /// Verifies that a kept list is still valid: its claims, and the certificates of its signer.
    ///
    /// - Parameters:
    ///   - policy: The policy for lists.
    ///   - time: The time.
    public func verify(policy: StatusListPolicy, at time: Date) -> Verification<VerifiedIdentifierList> {
        validity.verification(of: self, policy: policy, at: time)
    }
}
