/// The content of a list of proofs that has been verified as a whole.
public struct VerifiedIdemixProofList: Hashable, Sendable {
    /// One for each proof, in the list's order.
    public let proofs: [VerifiedIdemixProof]
}

/// The content of one proof of a verified list.
public enum VerifiedIdemixProof: Hashable, Sendable {
    /// Attributes of a credential.
    case disclosure(VerifiedIdemixDisclosure)
    /// A commitment that an issuer may sign.
    case issuance(VerifiedIdemixCommitment)
}

/// The verified content of a disclosure proof.
public struct VerifiedIdemixDisclosure: Hashable, Sendable {
    /// The issuer's key that the proof verifies with.
    public let publicKey: IdemixIssuerPublicKey
    /// The credential type that was expected, or `nil` if any was.
    public let credentialType: IdemixCredentialType?
    /// The content of the metadata attribute; its key counter is that of the key.
    public let metadata: MetadataAttribute
    /// The integers of the disclosed attributes, by base index.
    public let attributes: [Int: BigInteger]
    /// The largest base index that the credential has.
    public let lastIndex: Int
    /// The accumulator that the credential is in, where that was proved.
    public let accumulator: RevocationAccumulator?
    /// The statements that were proved about hidden attributes, by base index, with the number of squares of each.
    public let rangeProofs: [Int: [RangeProof]]
}
