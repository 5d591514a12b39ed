/// A verifier's request and its knowledge about a disclosure proof.
///
/// A proof with more than was requested is refused before any exponentiation, since each proof of non-revocation and
/// each range proof costs the verifier as much as one to three disclosures.
public struct IdemixDisclosureExpectation: Sendable {
    /// The issuer's key that the metadata names, never one that the sender chose.
    public var publicKey: IdemixIssuerPublicKey
    /// The credential type that the metadata has to name, or `nil` for any type.
    public var credentialType: IdemixCredentialType?
    /// The number of attributes of the credential type, besides the secret key and the metadata.
    ///
    /// No attribute behind the last one may be disclosed. Hidden ones may be there: an issuer and a holder can know a type that has
    /// grown before its verifiers do. Attributes of value zero behind the last are absent, and change nothing in a proof. With
    /// nil, the key's bases are the bound.
    public var attributeCount: Int?
    /// The keyshare server that holds a part of the secret key, or nil.
    public var keyshareServer: String?
    /// The expectation about a proof of non-revocation; by default none is allowed.
    public var nonRevocation: NonRevocationExpectation
    /// Required statements by base index; by default no range proof is allowed.
    ///
    /// An index has at most as many range proofs as statements, and each of them proves one of the statements.
    public var statements: [Int: [RangeStatement]]
    /// Indicates that a credential is accepted after its expiry, as a request with `skipExpiryCheck` does; false by default.
    ///
    /// It must have been signed before the issuer's key expired all the same.
    public var acceptsExpired: Bool
    /// Indicates that the period and the expiry of the issuer's key are not looked at; false by default.
    ///
    /// It is for callers that check them themselves, after something else.
    public var leavesValidity = false

    /// Describes a proof that is expected.
    public init(
        publicKey: IdemixIssuerPublicKey,
        credentialType: IdemixCredentialType? = nil,
        attributeCount: Int? = nil,
        keyshareServer: String? = nil,
        nonRevocation: NonRevocationExpectation = .absent,
        statements: [Int: [RangeStatement]] = [:],
        acceptsExpired: Bool = false
    ) {
        self.publicKey = publicKey
        self.credentialType = credentialType
        self.attributeCount = attributeCount
        self.keyshareServer = keyshareServer
        self.nonRevocation = nonRevocation
        self.statements = statements
        self.acceptsExpired = acceptsExpired
    }
}

/// A verifier's expectation about the revocation part of a disclosure.
///
/// The base index of the revocation attribute comes from the credential type's description. A verifier never infers it
/// from a proof.
public enum NonRevocationExpectation: Hashable, Sendable {
    /// No proof of non-revocation. A disclosure with one is refused before any exponentiation.
    case absent
    /// A proof of non-revocation is optional, and is verified if present. For attribute-based signatures whose request
    /// is no longer known.
    case allowed(index: Int, minimumAccumulatorIndex: UInt64 = 0)
    /// A proof of non-revocation is required. The smallest accumulator index is that of the last event in the request.
    case required(index: Int, minimumAccumulatorIndex: UInt64 = 0)

    /// The base index of the revocation attribute, or nil if no proof is allowed.
    var index: Int? {
        switch self {
        case .absent: nil
        case .allowed(let index, _), .required(let index, _): index
        }
    }

    /// The smallest index that the accumulator may have.
    var minimumAccumulatorIndex: UInt64 {
        switch self {
        case .absent: 0
        case .allowed(_, let minimum), .required(_, let minimum): minimum
        }
    }
}
