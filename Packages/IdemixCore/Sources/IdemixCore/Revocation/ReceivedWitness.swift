/// A witness as an issuer sends it: not verified yet.
public struct ReceivedWitness: Hashable, Sendable {
    /// u, with u^e = ν.
    public let u: BigInteger
    /// The prime, which is also the value of the credential's revocation attribute.
    public let e: BigInteger
    /// The accumulator that the witness belongs to.
    public let signedAccumulator: SignedAccumulator

    /// Keeps the parts of a message; ``verified(by:)`` checks them.
    public init(u: BigInteger, e: BigInteger, signedAccumulator: SignedAccumulator) {
        self.u = u
        self.e = e
        self.signedAccumulator = signedAccumulator
    }

    /// The witness, after the accumulator's signature, the ranges and u^e = ν have been checked.
    ///
    /// - Throws: The errors of ``SignedAccumulator/verified(by:)``, ``IdemixError/Code/invalidWitness``.
    public func verified(by publicKey: IssuerPublicKey) throws(IdemixError) -> RevocationWitness {
        let accumulator = try signedAccumulator.verified(by: publicKey)
        guard e >= RevocationParameters.smallestPrime, e <= RevocationParameters.largestPrime, publicKey.isUnit(u)
        else {
            throw IdemixError(.invalidWitness, "u or e is out of its range")
        }
        return try RevocationWitness(
            u: u,
            e: e,
            accumulator: accumulator,
            signedAccumulator: signedAccumulator,
            publicKey: publicKey
        )
    }
}
