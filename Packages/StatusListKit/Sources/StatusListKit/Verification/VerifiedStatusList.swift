public import CryptoCore
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A status list whose signature was verified and whose claims passed the policy.
///
/// Only ``StatusListToken/verify(for:with:policy:at:)`` makes values of this type. A list that was verified may be kept:
/// ``verify(policy:at:)`` and ``status(for:policy:at:)`` check its times again.
public struct VerifiedStatusList: Sendable {
    /// The name of the list (`sub`): the `uri` of the references to it.
    public let uri: String
    /// When the token was issued (`iat`).
    public let issuedAt: Date
    /// For how many seconds the token may be kept before a fresh one should be fetched (`ttl`), or nil.
    public let timeToLive: TimeInterval?
    /// The list.
    public let list: StatusList
    /// The address at which the same issuer enumerates its lists, or nil.
    public let aggregationURI: String?
    /// The token, as it was received.
    public let token: StatusListToken

    private let validity: ListValidity

    init(
        _ claims: TokenClaims,
        _ list: StatusListClaim,
        token: StatusListToken,
        _ signed: SignedClaims,
        _ deviations: [Deviation],
        for uri: String
    ) {
        validity = ListValidity(
            uri: uri,
            claims: claims.registered,
            certificateChain: signed.certificateChain,
            deviations: deviations + signed.deviations
        )
        self.uri = uri
        issuedAt = claims.issuedAt
        timeToLive = claims.timeToLive
        self.list = list.list
        aggregationURI = list.aggregationURI
        self.token = token
    }

    /// The chain that the signer's key was taken from, or nil for a key that the caller gave.
    public var certificateChain: ValidatedCertificateChain? { validity.certificateChain }
    /// The deviations that tolerances let pass when the token was verified.
    public var deviations: [Deviation] { validity.deviations }
    /// When the token starts to be valid (`nbf`), or nil.
    public var notBefore: Date? { validity.claims.notBefore() }
    /// When the token expires (`exp`), or nil.
    public var expirationTime: Date? { validity.claims.expirationTime() }

    /// The status at an index, without a check of the time.
    public func status(at index: Int) -> CredentialStatus {
        do throws(StatusListError) {
            return CredentialStatus(try list.status(at: index), asOf: issuedAt)
        } catch {
            return .unknown(error)
        }
    }

    /// The status at an index, and the deviations of the token, without a check of the time.
    func finding(at index: Int) -> StatusFinding {
        StatusFinding(status(at: index), deviations: deviations)
    }

    /// The status of a credential, if this is the credential's list and has not become too old since its verification.
    ///
    /// - Parameters:
    ///   - reference: The credential's reference to its status.
    ///   - policy: The policy for lists.
    ///   - time: The time.
    public func status(
        for reference: StatusReference,
        policy: StatusListPolicy,
        at time: Date
    ) -> StatusFinding {
        guard uri.hasSameBytes(as: reference.uri) else {
            return .unknown("\(Reason.claimMismatch): the list is \(uri)")
        }
        do throws(StatusListError) {
            return try verify(policy: policy, at: time).list().finding(at: reference.index)
        } catch {
            return StatusFinding(.unknown(error))
        }
    }

    /// Verifies that a kept list is still valid: its claims, and the certificates of its signer.
    ///
    /// - Parameters:
    ///   - policy: The policy for lists.
    ///   - time: The time.
    public func verify(policy: StatusListPolicy, at time: Date) -> Verification<VerifiedStatusList> {
        validity.verification(of: self, policy: policy, at: time)
    }
}
