/// The numbers of a public key, under the letters of the paper.
public struct IdemixKeyElements: Hashable, Sendable {
    /// The modulus.
    public let n: BigInteger
    /// The value that a signature's equation yields.
    public let Z: BigInteger
    /// The base of the blinding exponent v.
    public let S: BigInteger
    /// The bases of the secret key (index 0), the metadata (1) and the attributes.
    public let R: [BigInteger]
    /// The first base of revocation, where the key supports it.
    public let G: BigInteger?
    /// The second base of revocation, where the key supports it.
    public let H: BigInteger?

    /// Collects the numbers; ``IdemixIssuerPublicKey`` checks them.
    public init(
        n: BigInteger,
        Z: BigInteger,
        S: BigInteger,
        R: [BigInteger],
        G: BigInteger? = nil,
        H: BigInteger? = nil
    ) {
        self.n = n
        self.Z = Z
        self.S = S
        self.R = R
        self.G = G
        self.H = H
    }
}
