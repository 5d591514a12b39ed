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
/// ``status(for:policy:at:)`` checks its times again.
public struct VerifiedStatusList: Sendable {
    /// The name of the list (`sub`): the `uri` of the references to it.
    public let uri: String
    /// When the token was issued (`iat`).
    public let issuedAt: Date
    /// When the token starts to be valid (`nbf`), or nil.
    public let notBefore: Date?
    /// When the token expires (`exp`), or nil.
    public let expirationTime: Date?
    /// For how many seconds the token may be kept before a fresh one should be fetched (`ttl`), or nil.
    public let timeToLive: TimeInterval?
    /// The list.
    public let list: StatusList
    /// The address at which the same issuer enumerates its lists, or nil.
    public let aggregationURI: String?
    /// The chain that the signer's key was taken from, or nil for a key that the caller gave.
    public let certificateChain: ValidatedCertificateChain?
    /// The token, as it was received.
    public let token: StatusListToken

    init(
        _ claims: TokenClaims,
        token: StatusListToken,
        certificateChain: ValidatedCertificateChain?,
        for uri: String,
        _ policy: StatusListPolicy,
        at now: Date
    ) throws(StatusListError) {
        guard let subject = claims.subject else { throw Self.missing("sub") }
        guard let issuedAt = claims.issuedAt else { throw Self.missing("iat") }
        guard let statusList = claims.statusList else { throw Self.missing("status_list") }
        guard subject.hasSameBytes(as: uri) else {
            throw StatusListError(.wrongSubject, "the token is of the list \(subject)", path: ["token", "sub"])
        }
        try Self.requireAudience(claims.audience, policy)
        let times = StatusListTimes(
            issuedAt: issuedAt,
            notBefore: claims.notBefore,
            expirationTime: claims.expirationTime
        )
        try times.requireCurrent(policy, at: now)
        let claim = try statusList.claim(policy.limits)
        self.uri = uri
        self.issuedAt = issuedAt
        notBefore = claims.notBefore
        expirationTime = claims.expirationTime
        timeToLive = claims.timeToLive
        list = claim.list
        aggregationURI = claim.aggregationURI
        self.certificateChain = certificateChain
        self.token = token
    }

    private static func missing(_ name: String) -> StatusListError {
        StatusListError(.missingClaim, "the claim is not there", path: ["token", name])
    }

    private static func requireAudience(_ audience: [String]?, _ policy: StatusListPolicy) throws(StatusListError) {
        guard let audience else { return }
        guard let name = policy.audience, audience.contains(where: { $0.hasSameBytes(as: name) }) else {
            throw StatusListError(.wrongAudience, "the token is for another audience", path: ["token", "aud"])
        }
    }

    /// The status at an index, without a check of the time.
    public func status(at index: Int) -> CredentialStatus {
        do throws(StatusListError) {
            return CredentialStatus(try list.status(at: index), asOf: issuedAt)
        } catch {
            return .unknown(error)
        }
    }

    /// The status of a credential, if this is the credential's list and has not become too old since its verification.
    ///
    /// - Parameters:
    ///   - reference: The credential's reference to its status.
    ///   - policy: The policy for lists.
    ///   - now: The time.
    public func status(
        for reference: StatusReference,
        policy: StatusListPolicy,
        at now: Date = Date()
    ) -> CredentialStatus {
        do throws(StatusListError) {
            guard uri.hasSameBytes(as: reference.uri) else {
                throw StatusListError(.wrongSubject, "the list is \(uri)", path: ["token", "sub"])
            }
            try requireCurrent(policy, at: now)
        } catch {
            return .unknown(error)
        }
        return status(at: reference.index)
    }

    /// Refuses a list whose token, or whose signer's certificates, are not valid at a time.
    func requireCurrent(_ policy: StatusListPolicy, at now: Date) throws(StatusListError) {
        let times = StatusListTimes(issuedAt: issuedAt, notBefore: notBefore, expirationTime: expirationTime)
        try times.requireCurrent(policy, at: now)
        guard certificateChain?.isWithinValidity(at: now) != false else {
            throw StatusListError(.untrustedSigner, "the signer's certificates are not valid now", path: ["token"])
        }
    }
}
