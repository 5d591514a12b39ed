public import JOSEKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An entity whose statements a verifier trusts for membership in a federation (OpenID Federation 1.0, section 1.2).
public struct FederationTrustAnchor: Sendable {
    /// The identifier.
    public let id: EntityIdentifier
    /// The keys with which it signs statements, had from elsewhere than its own configuration.
    public let keys: JWKSet

    /// Names an anchor and its keys.
    public init(id: EntityIdentifier, keys: JWKSet) {
        self.id = id
        self.keys = keys
    }
}

/// A verifier's lasting demands on trust chains.
public struct FederationPolicy: Sendable {
    /// The trust anchors.
    public var anchors: [FederationTrustAnchor]
    /// The algorithms that statements may be signed with: asymmetric ones alone.
    public var algorithms: Set<JWSAlgorithm>
    /// The tolerated difference of clocks.
    public var clockSkew: TimeInterval
    /// The types of trust marks that an entity must have (`trust_mark_type`); none by default.
    ///
    /// A ``TrustChainResolver`` verifies them: the issuer must belong to the same trust anchor, which must name it for the type
    /// and have the delegation of the type's owner (OpenID Federation 1.0, section 7). The status of a mark is not asked for.
    public var requiredTrustMarks: Set<ExactText>

    /// ES256, ES384, ES512, ES256K, EdDSA, Ed25519, and PS and RS with every hash.
    public static let commonAlgorithms: Set<JWSAlgorithm> = [
        .es256, .es384, .es512, .es256K, .edDSA, .ed25519, .ps256, .ps384, .ps512, .rs256, .rs384, .rs512,
    ]

    /// Sets the demands; omitted ones have their defaults.
    public init(
        anchors: [FederationTrustAnchor],
        algorithms: Set<JWSAlgorithm> = commonAlgorithms,
        clockSkew: TimeInterval = VerificationTime.defaultClockSkew,
        requiredTrustMarks: Set<ExactText> = []
    ) {
        self.requiredTrustMarks = requiredTrustMarks
        self.anchors = anchors
        self.algorithms = algorithms
        self.clockSkew = clockSkew
    }

    /// The anchor with an identifier, with the keys of all entries for it; nil for none.
    func anchor(_ id: EntityIdentifier) -> FederationTrustAnchor? {
        let entries = anchors.filter { $0.id == id }
        guard !entries.isEmpty else { return nil }
        return FederationTrustAnchor(id: id, keys: JWKSet(entries.flatMap(\.keys.keys)))
    }
}
