/// The content of a credential to be issued, as its holder agrees to it.
public struct IdemixIssuanceRequest: Sendable {
    /// The key of the issuer, in whose group the commitment lies.
    public let publicKey: IdemixIssuerPublicKey
    /// The integers m_1 (the metadata), m_2 and so on; zero at the places of random-blind attributes and of the
    /// revocation attribute.
    public let attributes: [BigInteger]
    /// The base indices of the random-blind attributes.
    public let blindIndices: Set<Int>
    /// The base index of the revocation attribute, or `nil` if the issuer announced no witness.
    public let revocationIndex: Int?
    /// The keyshare server's share R_0^s of the secret key, which is multiplied into U; `nil` without such a server.
    public let keyshareP: BigInteger?

    /// Describes a credential to be issued.
    ///
    /// - Throws: ``IdemixError/Code/invalidAttributeCount`` for no metadata or more attributes than the key has bases,
    ///   ``IdemixError/Code/invalidAttribute`` for a negative integer, ``IdemixError/Code/invalidIndices`` for an index
    ///   that is not an attribute's, has an integer other than zero, or is random-blind and the revocation attribute's.
    public init(
        publicKey: IdemixIssuerPublicKey,
        attributes: [BigInteger],
        blindIndices: Set<Int> = [],
        revocationIndex: Int? = nil,
        keyshareP: BigInteger? = nil
    ) throws(IdemixError) {
        guard !attributes.isEmpty, attributes.count < publicKey.elements.R.count else {
            throw IdemixError(
                .invalidAttributeCount,
                "\(attributes.count) integers besides the secret key for \(publicKey.elements.R.count) bases"
            )
        }
        try publicKey.parameters.validate(attributes: attributes)
        let open = blindIndices.union(revocationIndex.map { [$0] } ?? [])
        guard open.allSatisfy({ $0 >= 2 && $0 <= attributes.count && attributes[$0 - 1].isZero }) else {
            throw IdemixError(.invalidIndices, "an open index is no attribute's, or its integer is not zero")
        }
        guard revocationIndex.map(blindIndices.contains) != true else {
            throw IdemixError(.invalidIndices, "the revocation attribute is random-blind")
        }
        self.publicKey = publicKey
        self.attributes = attributes
        self.blindIndices = blindIndices
        self.revocationIndex = revocationIndex
        self.keyshareP = keyshareP
    }
}
