import JOSEKit
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TrustChainResolver {
    /// The verification of an entity with the trust marks that the policy requires.
    func requiringTrustMarks(
        _ verification: Verification<FederationEntity>,
        at time: Date,
        within allowance: SearchAllowance
    ) async -> Verification<FederationEntity> {
        guard !policy.requiredTrustMarks.isEmpty, let entity = verification.verified else { return verification }
        var checklist = Checklist(TrustChain.checks + [.trustMarks], at: time)
        for result in verification.checks { checklist.record(result.check, result.outcome, at: result.path) }
        await checklist.check(.trustMarks) { () async throws(CheckFault) in
            for type in policy.requiredTrustMarks.sorted() {
                do throws(CheckFault) {
                    try await requireTrustMark(type, of: entity, at: time, within: allowance)
                } catch {
                    throw error.inside(type.text)
                }
            }
        }
        return checklist.verification(of: entity)
    }

    /// Refuses an entity none of whose marks of a type verifies (OpenID Federation 1.0, section 7.3).
    private func requireTrustMark(
        _ type: ExactText,
        of entity: FederationEntity,
        at time: Date,
        within allowance: SearchAllowance
    ) async throws(CheckFault) {
        let tokens = try TrustMark.tokens(of: type, in: entity.configuration)
        var fault = CheckFault.failed("missingTrustMark", "\(entity.id) presents no trust mark of the type")
        guard !tokens.isEmpty else { throw fault }
        let rules = TrustMarkRules(try await anchorConfiguration(of: entity, at: time, within: allowance))
        for token in tokens {
            do throws(CheckFault) {
                let mark = try TrustMark(type, token)
                // An issuer that may not issue is not asked for.
                try rules.requireIssuer(mark.unverifiedIssuer, of: type)
                let keys = try await keys(of: mark.unverifiedIssuer, under: entity.anchor, at: time, within: allowance)
                return try mark.verify(of: entity.id, with: keys, rules, policy, at: time)
            } catch {
                fault = error
            }
        }
        throw fault
    }

    /// The configuration of the anchor: that of the chain, or else the one that it publishes.
    private func anchorConfiguration(
        of entity: FederationEntity,
        at time: Date,
        within allowance: SearchAllowance
    ) async throws(CheckFault) -> EntityStatement {
        if let configuration = entity.anchorConfiguration { return configuration }
        let verification = await chainVerification(
            entity.anchor,
            given: nil,
            at: time,
            within: allowance,
            isSufficient: { _ in true }
        )
        return try verification.trusted().configuration
    }

    /// The keys with which an issuer of marks signs statements, by its own chain to the same anchor.
    private func keys(
        of issuer: EntityIdentifier,
        under anchor: EntityIdentifier,
        at time: Date,
        within allowance: SearchAllowance
    ) async throws(CheckFault) -> JWKSet {
        if issuer == anchor, let known = policy.anchor(anchor) { return known.keys }
        let entity = try await chainVerification(
            issuer,
            given: nil,
            at: time,
            within: allowance,
            isSufficient: { _ in true }
        ).trusted()
        guard entity.anchor == anchor else {
            throw .failed(.issuerNotTrusted, "\(issuer) belongs to another trust anchor than \(anchor)")
        }
        return entity.keys
    }
}

extension Verification<FederationEntity> {
    /// The entity.
    ///
    /// - Throws: The refusal, as that of a trust mark.
    fileprivate func trusted() throws(CheckFault) -> FederationEntity {
        switch verdict {
        case .verified(let entity): return entity
        case .refused(let refusal) where refusal.isUnavailable:
            throw .unavailable(refusal.reason, refusal.message, path: refusal.path)
        case .refused(let refusal): throw .failed(refusal.reason, refusal.message, path: refusal.path)
        }
    }
}

extension Check {
    /// The entity has the trust marks that the verifier's policy requires.
    public static let trustMarks: Check = "trustMarks"
}
