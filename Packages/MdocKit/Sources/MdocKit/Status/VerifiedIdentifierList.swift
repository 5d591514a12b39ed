import CBORKit
import COSEKit
public import CryptoCore
import StatusListKit

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
    /// When the token expires (`exp`), or nil.
    public let expirationTime: Date?
    /// For how many seconds the token may be kept before a fresh one should be fetched (`ttl`), or nil.
    public let timeToLive: TimeInterval?
    /// The identifiers of the credentials that are revoked.
    public let identifiers: Set<ArraySlice<UInt8>>
    /// The address at which the same issuer enumerates its lists, or nil.
    public let aggregationURI: String?
    /// The certificate chain of the list's signer.
    public let certificateChain: ValidatedCertificateChain
    /// The token, as it was received.
    public let token: IdentifierListToken

    private let notBefore: Date?

    init(
        _ claims: CWTClaims,
        _ token: IdentifierListToken,
        _ certificateChain: ValidatedCertificateChain,
        for uri: String,
        _ policy: StatusListPolicy,
        at now: Date
    ) throws(StatusListError) {
        let subject: String?
        let issuedAt: Date?
        let audience: [String]?
        do {
            subject = try claims.subject()
            issuedAt = try claims.issuedAt()
            audience = try claims.audience()
            notBefore = try claims.notBefore()
            expirationTime = try claims.expirationTime()
        } catch {
            throw StatusListError(identifierList: error)
        }
        guard let subject else { throw .claim("sub", .missingClaim, "the claim is not there") }
        guard let issuedAt else { throw .claim("iat", .missingClaim, "the claim is not there") }
        guard subject.utf8.elementsEqual(uri.utf8) else {
            throw .claim("sub", .wrongSubject, "the token is of the list \(subject)")
        }
        try Self.requireAudience(audience, policy)
        timeToLive = try Self.timeToLive(claims)
        (identifiers, aggregationURI) = try Self.list(claims)
        self.uri = uri
        self.issuedAt = issuedAt
        self.certificateChain = certificateChain
        self.token = token
        try requireCurrent(policy, at: now)
    }

    /// Whether a credential with an identifier is revoked.
    public func contains(_ identifier: some Collection<UInt8>) -> Bool {
        identifiers.contains(Array(identifier)[...])
    }

    /// Refuses a list whose token, or whose signer's certificates, are not valid at a time.
    func requireCurrent(_ policy: StatusListPolicy, at now: Date) throws(StatusListError) {
        guard issuedAt.timeIntervalSince(now) <= policy.leeway else {
            throw .claim("iat", .issuedInFuture, "the token was issued at \(issuedAt)")
        }
        if let maximumAge = policy.maximumAge, now.timeIntervalSince(issuedAt) > maximumAge + policy.leeway {
            throw .claim("iat", .tooOld, "the token was issued at \(issuedAt)")
        }
        if let notBefore, notBefore.timeIntervalSince(now) > policy.leeway {
            throw .claim("nbf", .notYetValid, "the token is valid from \(notBefore)")
        }
        guard expirationTime != nil || !policy.requiresExpirationTime else {
            throw .claim("exp", .missingClaim, "the claim is not there")
        }
        if let expirationTime, now.timeIntervalSince(expirationTime) >= policy.leeway {
            throw .claim("exp", .expired, "the token expired at \(expirationTime)")
        }
        guard certificateChain.isWithinValidity(at: now) else {
            throw .claim("x5chain", .untrustedSigner, "the signer's certificates are not valid now")
        }
    }

    private static func requireAudience(_ audience: [String]?, _ policy: StatusListPolicy) throws(StatusListError) {
        guard let audience else { return }
        guard let name = policy.audience, audience.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
            throw .claim("aud", .wrongAudience, "the token is for another audience")
        }
    }

    private static func timeToLive(_ claims: CWTClaims) throws(StatusListError) -> TimeInterval? {
        let seconds: UInt64?
        do {
            seconds = try claims.view(.claimTimeToLive).map { try $0.integer(as: UInt64.self) }
        } catch {
            throw .claim("ttl", .invalidClaim, "a positive number is expected")
        }
        guard seconds != 0 else { throw .claim("ttl", .invalidClaim, "a positive number is expected") }
        return seconds.map { TimeInterval($0) }
    }

    /// `{ "identifiers": { * bstr => {} }, ? "aggregation_uri": tstr }`; what stands beside an identifier is not looked at.
    private static func list(_ claims: CWTClaims) throws(StatusListError) -> (Set<ArraySlice<UInt8>>, String?) {
        do {
            guard let view = try claims.view(.claimIdentifierList) else {
                throw StatusListError.claim("identifier_list", .missingClaim, "the claim is not there")
            }
            let members = try view.map()
            var identifiers: Set<ArraySlice<UInt8>> = []
            for (key, _) in try members.required("identifiers").map() { identifiers.insert(try key.bytes()) }
            return (identifiers, try members.value(forKey: "aggregation_uri")?.text())
        } catch let error as StatusListError {
            throw error
        } catch {
            throw StatusListError(.malformed, "\(error)", path: ["token", "identifier_list"], cause: error)
        }
    }
}
