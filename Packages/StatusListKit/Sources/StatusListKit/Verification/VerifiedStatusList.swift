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
    /// The chain that the signer's key was taken from, or nil for a key that the caller gave.
    public let certificateChain: ValidatedCertificateChain?
    /// The token, as it was received.
    public let token: StatusListToken

    private let claims: RegisteredClaimValues

    init(
        _ claims: TokenClaims,
        _ list: StatusListClaim,
        token: StatusListToken,
        certificateChain: ValidatedCertificateChain?,
        for uri: String
    ) {
        self.claims = claims.registered
        self.uri = uri
        issuedAt = claims.issuedAt
        timeToLive = claims.timeToLive
        self.list = list.list
        aggregationURI = list.aggregationURI
        self.certificateChain = certificateChain
        self.token = token
    }

    /// When the token starts to be valid (`nbf`), or nil.
    public var notBefore: Date? { claims.notBefore() }
    /// When the token expires (`exp`), or nil.
    public var expirationTime: Date? { claims.expirationTime() }

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
    ///   - time: The time.
    public func status(
        for reference: StatusReference,
        policy: StatusListPolicy,
        at time: Date
    ) -> CredentialStatus {
        guard uri.hasSameBytes(as: reference.uri) else {
            return .unknown("\(Reason.claimMismatch): the list is \(uri)")
        }
        do throws(Refusal) {
            return try verify(policy: policy, at: time).get().status(at: reference.index)
        } catch {
            return .unknown(StatusListError(error))
        }
    }

    /// Verifies that a kept list is still valid: its claims, and the certificates of its signer.
    ///
    /// - Parameters:
    ///   - policy: The policy for lists.
    ///   - time: The time.
    public func verify(policy: StatusListPolicy, at time: Date) -> Verification<VerifiedStatusList> {
        var checklist = Checklist(ClaimsRules.checks + [.issuerTrust], at: time)
        policy.claimsRules(for: uri).check(claims, in: &checklist)
        checklist.check(.issuerTrust) { () throws(CheckFault) in
            guard let certificateChain else { throw .notApplicable("the caller gave the key") }
            guard certificateChain.isWithinValidity(at: time) else {
                throw .failed(.issuerNotTrusted, "a certificate of the signer is not valid at this time")
            }
        }
        return checklist.verification(of: self)
    }
}
