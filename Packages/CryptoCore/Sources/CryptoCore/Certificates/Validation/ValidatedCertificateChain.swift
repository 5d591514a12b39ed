#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A chain of certificates that a ``CertificatePathValidator`` found valid.
///
/// Nothing else makes one. Copies share one storage: a cached chain is handed on with every message of its signer.
public struct ValidatedCertificateChain: Sendable {
    private let members: Members

    /// The certificates from the leaf to the one that the anchor signed; the anchor is not among them.
    public var certificates: [Certificate] { members.certificates }

    /// The trust anchor that the chain ends at.
    public var anchor: Certificate { members.anchor }

    /// The certificate whose key is vouched for.
    public var leaf: Certificate { members.leaf }

    /// The leaf's key, ready to verify with.
    public var leafPublicKey: PublicKey { members.leafPublicKey }

    /// The time for which the chain was validated.
    public var validationTime: Date { members.validationTime }

    /// The first second at which every certificate that the policy looks at is valid.
    public var notValidBefore: Date { members.notValidBefore }

    /// The last second at which every certificate that the policy looks at is valid.
    public var notValidAfter: Date { members.notValidAfter }

    /// Departures from the policy's profiles that the policy tolerates, those of the leaf first.
    public var toleratedDeviations: [CertificateDeviation] { members.toleratedDeviations }

    init(_ members: Members) {
        self.members = members
    }

    /// Returns `true` if the chain's certificates are valid at a time too, both ends included.
    public func isWithinValidity(at time: Date) -> Bool {
        notValidBefore <= time && time.isUpToLastSecond(notValidAfter)
    }

    /// The storage that all copies share.
    final class Members: Sendable {
        let certificates: [Certificate]
        let anchor: Certificate
        let leaf: Certificate
        let leafPublicKey: PublicKey
        let validationTime: Date
        let notValidBefore: Date
        let notValidAfter: Date
        let toleratedDeviations: [CertificateDeviation]

        init(
            certificates: [Certificate],
            anchor: Certificate,
            leaf: Certificate,
            leafPublicKey: PublicKey,
            validationTime: Date,
            notValidBefore: Date,
            notValidAfter: Date,
            toleratedDeviations: [CertificateDeviation]
        ) {
            self.certificates = certificates
            self.anchor = anchor
            self.leaf = leaf
            self.leafPublicKey = leafPublicKey
            self.validationTime = validationTime
            self.notValidBefore = notValidBefore
            self.notValidAfter = notValidAfter
            self.toleratedDeviations = toleratedDeviations
        }
    }
}

extension ValidatedCertificateChain: Hashable {
    /// Returns `true` for the same certificates, validated for the same time and with the same deviations.
    public static func == (left: ValidatedCertificateChain, right: ValidatedCertificateChain) -> Bool {
        left.certificates == right.certificates && left.anchor == right.anchor
            && left.validationTime == right.validationTime && left.toleratedDeviations == right.toleratedDeviations
    }

    /// Hashes the leaf and the time.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(leaf)
        hasher.combine(validationTime)
    }
}
