/// An issuer's message for one credential: the signature, its proof, and the other values that the holder needs.
public struct IssuedCLSignature: Sendable {
    /// The signature over the issuer's view of the attributes; its v is the issuer's share v''.
    public let signature: CLSignature
    /// The proof that the issuer knows the inverse of e.
    public let proof: IssuerSignatureProof
    /// The issuer's shares m'' of the random-blind attributes, by base index.
    public let issuerShares: [Int: BigInteger]
    /// The witness for proving that the credential is not revoked, where it can be.
    public let witness: ReceivedWitness?

    /// Collects the parts of a message.
    public init(
        signature: CLSignature,
        proof: IssuerSignatureProof,
        issuerShares: [Int: BigInteger] = [:],
        witness: ReceivedWitness? = nil
    ) {
        self.signature = signature
        self.proof = proof
        self.issuerShares = issuerShares
        self.witness = witness
    }
}
