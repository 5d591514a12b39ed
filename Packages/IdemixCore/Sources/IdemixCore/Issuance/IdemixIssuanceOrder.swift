/// The content of a credential that an issuer is going to sign.
public struct IdemixIssuanceOrder: Sendable {
    /// The issuer.
    public let issuer: IdemixIssuer
    /// The integers m_1 (the metadata), m_2 and so on; zero at the places of random-blind attributes.
    public let attributes: [BigInteger]
    /// The base indices of the random-blind attributes.
    public let blindIndices: Set<Int>
    /// The keyshare server that holds a part of the secret key, or `nil`.
    public let keyshareServer: String?
    /// The witness whose prime is the value of the revocation attribute, or `nil`.
    public let witness: ReceivedWitness?

    /// Describes a credential to be signed.
    public init(
        issuer: IdemixIssuer,
        attributes: [BigInteger],
        blindIndices: Set<Int> = [],
        keyshareServer: String? = nil,
        witness: ReceivedWitness? = nil
    ) {
        self.issuer = issuer
        self.attributes = attributes
        self.blindIndices = blindIndices
        self.keyshareServer = keyshareServer
        self.witness = witness
    }
}
