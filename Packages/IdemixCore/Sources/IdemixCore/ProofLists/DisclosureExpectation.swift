/// What a verifier knows about a disclosure proof.
public struct DisclosureExpectation: Sendable {
    /// The issuer's key that the metadata names, never one that the sender chose.
    public var publicKey: IssuerPublicKey
    /// How many attributes the credential type has besides secret key and metadata; nil leaves it to the key's bases.
    ///
    /// Whoever passes a proof on can add attributes of value zero behind the last: they are absent, and nothing else
    /// changes. This number bounds them.
    public var attributeCount: Int?
    /// The keyshare server that holds a part of the secret key, or nil.
    public var keyshareServer: String?
    /// The base index of the type's revocation attribute, or nil where the type has none.
    public var revocationIndex: Int?
    /// Whether a proof of non-revocation must be there.
    public var requiresNonRevocation: Bool
    /// The smallest index that the accumulator may have.
    public var minimumAccumulatorIndex: UInt64
    /// Statements that must be proved, by base index.
    public var statements: [Int: [RangeStatement]]

    /// Describes a proof that is expected.
    public init(
        publicKey: IssuerPublicKey,
        attributeCount: Int? = nil,
        keyshareServer: String? = nil,
        revocationIndex: Int? = nil,
        requiresNonRevocation: Bool = false,
        minimumAccumulatorIndex: UInt64 = 0,
        statements: [Int: [RangeStatement]] = [:]
    ) {
        self.publicKey = publicKey
        self.attributeCount = attributeCount
        self.keyshareServer = keyshareServer
        self.revocationIndex = revocationIndex
        self.requiresNonRevocation = requiresNonRevocation
        self.minimumAccumulatorIndex = minimumAccumulatorIndex
        self.statements = statements
    }
}
