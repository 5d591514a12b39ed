/// What a verifier knows about one proof of a list before it looks at it.
public enum ProofExpectation: Sendable {
    /// A disclosure of a credential.
    case disclosure(DisclosureExpectation)
    /// A commitment for a credential that is to be issued.
    case issuance(IssuanceExpectation)

    var publicKey: IssuerPublicKey {
        switch self {
        case .disclosure(let expectation): expectation.publicKey
        case .issuance(let expectation): expectation.publicKey
        }
    }

    var keyshareServer: String? {
        switch self {
        case .disclosure(let expectation): expectation.keyshareServer
        case .issuance(let expectation): expectation.keyshareServer
        }
    }
}

/// What a verifier knows about a disclosure proof.
public struct DisclosureExpectation: Sendable {
    /// The issuer's key that the metadata names, never one that the sender chose.
    public var publicKey: IssuerPublicKey
    /// How many attributes the credential type has besides secret key and metadata; nil leaves it to the key's bases.
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

/// What an issuer knows about the commitment for a credential.
public struct IssuanceExpectation: Sendable {
    /// The issuer's key that will sign.
    public var publicKey: IssuerPublicKey
    /// The base indices of the random-blind attributes.
    public var blindIndices: Set<Int>
    /// The keyshare server that holds a part of the secret key, or nil.
    public var keyshareServer: String?

    /// Describes a commitment that is expected.
    public init(publicKey: IssuerPublicKey, blindIndices: Set<Int> = [], keyshareServer: String? = nil) {
        self.publicKey = publicKey
        self.blindIndices = blindIndices
        self.keyshareServer = keyshareServer
    }
}
