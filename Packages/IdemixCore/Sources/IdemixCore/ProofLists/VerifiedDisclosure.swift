/// The verified content of a disclosure proof.
public struct VerifiedDisclosure: Hashable, Sendable {
    /// The issuer's key that the proof verifies with.
    public let publicKey: IssuerPublicKey
    /// The credential type that was expected, or `nil` if any was.
    public let credentialType: CredentialType?
    /// The content of the metadata attribute; its key counter is that of the key.
    public let metadata: MetadataAttribute
    /// The integers of the disclosed attributes, by base index.
    public let attributes: [Int: BigInteger]
    /// The largest base index that the credential has.
    public let lastIndex: Int
    /// The accumulator that the credential is in, where that was proved.
    public let accumulator: Accumulator?
    /// The statements that were proved about hidden attributes, by base index, with the number of squares of each.
    public let rangeProofs: [Int: [RangeProof]]
}
