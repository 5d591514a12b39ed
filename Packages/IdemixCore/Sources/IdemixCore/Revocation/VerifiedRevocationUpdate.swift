/// An update of which signature and event chain have been verified.
public struct VerifiedRevocationUpdate: Hashable, Sendable {
    /// The newest accumulator.
    public let accumulator: Accumulator
    /// The same as it was signed.
    public let signedAccumulator: SignedAccumulator
    /// The events up to it; none if the accumulator was only signed anew.
    public let events: [RevocationEvent]
    /// The counter of the issuer's key.
    public let keyCounter: UInt
}
