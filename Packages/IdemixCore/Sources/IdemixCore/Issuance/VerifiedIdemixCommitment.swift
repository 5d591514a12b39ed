/// A holder's commitment of which the proof has been verified; only ``IdemixProofList`` makes one.
public struct VerifiedIdemixCommitment: Hashable, Sendable {
    /// U.
    public let value: BigInteger
    /// The base indices of the random-blind attributes.
    public let blindIndices: Set<Int>
    /// The issuer's key for which the proof was made.
    public let publicKey: IdemixIssuerPublicKey

    package init(value: BigInteger, blindIndices: Set<Int>, publicKey: IdemixIssuerPublicKey) {
        self.value = value
        self.blindIndices = blindIndices
        self.publicKey = publicKey
    }
}
