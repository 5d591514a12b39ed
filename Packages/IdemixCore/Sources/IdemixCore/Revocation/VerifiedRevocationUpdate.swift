/// An update of which signature and event chain have been verified.
public struct VerifiedRevocationUpdate: Hashable, Sendable {
    /// The newest accumulator.
    public let accumulator: RevocationAccumulator
    /// The same as it was signed.
    public let signedAccumulator: SignedAccumulator
    /// The events up to it; none where the accumulator was only signed anew.
    public let events: [RevocationEvent]
    /// The counter of the issuer's key.
    public let keyCounter: UInt
}
