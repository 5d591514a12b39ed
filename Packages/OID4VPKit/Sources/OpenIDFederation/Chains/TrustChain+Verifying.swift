import JOSEKit
import JSONKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension TrustChain {
    /// The checks of a chain, in their order.
    public static let checks: [Check] = [
        .structure, .issuerTrust, .type, .validity, .signatures, .constraints, .metadataPolicy,
    ]

    /// Verifies the chain, and resolves the metadata of its subject (OpenID Federation 1.0, sections 6 and 10.2).
    ///
    /// - Parameters:
    ///   - subject: The entity that the chain must be about.
    ///   - policy: The trust anchors and algorithms.
    ///   - time: The time.
    public func verify(
        about subject: EntityIdentifier,
        policy: FederationPolicy,
        at time: Date
    ) -> Verification<FederationEntity> {
        var checklist = Checklist(Self.checks, at: time)
        let links = checklist.check(.structure) { () throws(CheckFault) in
            try CheckFault.converting { () throws(FederationError) in try ChainLinks(self, about: subject) }
        }
        guard let links else { return checklist.verification(of: nil) }
        let anchor = checklist.check(.issuerTrust) { () throws(CheckFault) in
            guard let anchor = policy.anchor(links.anchorID) else {
                throw .failed(.issuerNotTrusted, "\(links.anchorID) is no trust anchor of the verifier")
            }
            return anchor
        }
        guard let anchor else { return checklist.verification(of: nil) }
        // Signatures are the dearest part, and come after the times (section 10.2).
        checklist.check(.type) { () throws(CheckFault) in try requireClaims(policy, at: time) { $0 == .type } }
        checklist.check(.validity) { () throws(CheckFault) in try requireClaims(policy, at: time) { $0 != .type } }
        if checklist.isRefused { return checklist.verification(of: nil) }
        checklist.check(.signatures) { () throws(CheckFault) in
            try CheckFault.converting { () throws(JOSEError) in try verifySignatures(links, anchor, policy) }
        }
        if checklist.isRefused { return checklist.verification(of: nil) }
        checklist.check(.constraints) { () throws(CheckFault) in
            try CheckFault.converting { () throws(FederationError) in try links.requireConstraints() }
        }
        let metadata = checklist.check(.metadataPolicy) { () throws(CheckFault) in
            try CheckFault.converting { () throws(FederationError) in try links.resolvedMetadata() }
        }
        return checklist.verification(
            of: metadata.map { metadata in
                FederationEntity(links, metadata: metadata, expirationTime: unverifiedExpirationTime)
            }
        )
    }

    /// The time at which the first of the statements expires (section 10.4), by their own account.
    ///
    /// A party that sends its chain along replaces it before.
    public var unverifiedExpirationTime: Date { statements.map(\.content.expirationTime).min() ?? .distantPast }

    /// Refuses a statement of another type, or outside of its times (section 3.2).
    ///
    /// - Parameter isCounted: Returns `true` for a check that counts.
    private func requireClaims(
        _ policy: FederationPolicy,
        at time: Date,
        _ isCounted: (Check) -> Bool
    ) throws(CheckFault) {
        let demands = JWTClaimsPolicy(
            type: .oneOf([EntityStatement.type]),
            requiredClaims: ["iat", "exp"],
            clockSkew: policy.clockSkew
        )
        for (index, statement) in statements.enumerated() {
            do throws(CheckFault) {
                let refusal = demands.verify(statement.claims, header: statement.header, at: time).refusal
                guard let refusal, isCounted(refusal.check) else { continue }
                throw .failed(refusal.reason, refusal.message, path: refusal.path)
            } catch {
                throw error.inside("statements[\(index)]")
            }
        }
    }

    /// Verifies each statement with the keys that the next vouches for, those of the anchor with the verifier's own copy of
    /// its keys, and the first with its own keys besides.
    private func verifySignatures(
        _ links: ChainLinks,
        _ anchor: FederationTrustAnchor,
        _ policy: FederationPolicy
    ) throws(JOSEError) {
        let signatures = JWSVerificationPolicy(algorithms: policy.algorithms)
        for (index, statement) in statements.enumerated() {
            let isAnchor = statement.unverifiedIssuer == anchor.id
            var sets = [isAnchor ? anchor.keys : statements[index + 1].content.keys]
            if index == 0, !isAnchor { sets.append(statement.content.keys) }
            for keys in sets {
                do throws(JOSEError) {
                    _ = try statement.token.jws.verify(with: keys, policy: signatures)
                } catch {
                    throw error.inside("statements[\(index)]")
                }
            }
        }
    }
}

extension Check {
    /// The chain keeps within the constraints that its superiors set.
    public static let constraints: Check = "constraints"
    /// The metadata of the entity fit the policies of its superiors.
    public static let metadataPolicy: Check = "metadataPolicy"
}
