/// What a verifier knows about a disclosure proof, and what it asked for.
///
/// A proof that holds more than was asked for is refused before any exponentiation: each proof of non-revocation and each
/// range proof costs the verifier as much as one to three disclosures.
public struct DisclosureExpectation: Sendable {
    /// The issuer's key that the metadata names, never one that the sender chose.
    public var publicKey: IssuerPublicKey
    /// How many attributes the credential type has besides secret key and metadata; nil leaves it to the key's bases.
    ///
    /// Attributes of value zero behind the last are absent and change nothing in a proof; this number bounds them.
    public var attributeCount: Int?
    /// The keyshare server that holds a part of the secret key, or nil.
    public var keyshareServer: String?
    /// Whether a proof of non-revocation is there; by default none may be.
    public var nonRevocation: NonRevocationExpectation
    /// Statements that must be proved, by base index; by default there may be no range proof.
    ///
    /// An index has at most as many range proofs as statements, and each of them proves one of the statements.
    public var statements: [Int: [RangeStatement]]

    /// Describes a proof that is expected.
    public init(
        publicKey: IssuerPublicKey,
        attributeCount: Int? = nil,
        keyshareServer: String? = nil,
        nonRevocation: NonRevocationExpectation = .absent,
        statements: [Int: [RangeStatement]] = [:]
    ) {
        self.publicKey = publicKey
        self.attributeCount = attributeCount
        self.keyshareServer = keyshareServer
        self.nonRevocation = nonRevocation
        self.statements = statements
    }
}
