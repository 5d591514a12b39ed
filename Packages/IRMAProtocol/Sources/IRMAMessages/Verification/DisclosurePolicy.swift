public import IdemixCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A verifier's lasting demands on disclosures and signatures.
public struct DisclosurePolicy: Hashable, Sendable {
    /// The age in seconds that an accumulator may have without being reported, where the request names none.
    public var revocationTolerance: UInt64
    /// The tolerances of credential types that have one of their own, in seconds.
    public var revocationTolerances: [CredentialTypeIdentifier: UInt64]
    /// The tolerated difference between the clocks of issuer and verifier, in seconds.
    public var clockSkew: TimeInterval
    /// The limits of a list of proofs.
    public var limits: IdemixProofList.Limits

    /// Sets the demands; omitted ones have the protocol's defaults.
    public init(
        revocationTolerance: UInt64 = 600,
        revocationTolerances: [CredentialTypeIdentifier: UInt64] = [:],
        clockSkew: TimeInterval = VerificationTime.defaultClockSkew,
        limits: IdemixProofList.Limits = IdemixProofList.Limits()
    ) {
        self.revocationTolerance = revocationTolerance
        self.revocationTolerances = revocationTolerances
        self.clockSkew = clockSkew
        self.limits = limits
    }
}

/// A verifier's own knowledge about an accumulator.
public struct KnownAccumulator: Hashable, Sendable {
    /// The index of the accumulator.
    public var index: UInt64
    /// The time of the last successful update, until which the verifier knows of no later event.
    public var updated: Date

    /// Describes an accumulator.
    public init(index: UInt64, updated: Date) {
        self.index = index
        self.updated = updated
    }
}

/// A verifier's own knowledge about accumulators, by credential type and key counter.
public typealias KnownAccumulators = [CredentialTypeIdentifier: [UInt: KnownAccumulator]]
