public import JOSEKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An entity that a verifier trusts to say who belongs to a federation (OpenID Federation 1.0, section 1.2).
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

    /// ES256, ES384, ES512, EdDSA in every name, PS256 and RS256 with their longer hashes.
    public static let commonAlgorithms: Set<JWSAlgorithm> = [
        .es256, .es384, .es512, .edDSA, .ed25519, .ps256, .ps384, .ps512, .rs256, .rs384, .rs512,
    ]

    /// Sets the demands; omitted ones have their defaults.
    public init(
        anchors: [FederationTrustAnchor],
        algorithms: Set<JWSAlgorithm> = commonAlgorithms,
        clockSkew: TimeInterval = VerificationTime.defaultClockSkew
    ) {
        self.anchors = anchors
        self.algorithms = algorithms
        self.clockSkew = clockSkew
    }

    /// The anchor with an identifier, or nil.
    func anchor(_ id: EntityIdentifier) -> FederationTrustAnchor? { anchors.first { $0.id == id } }
}
