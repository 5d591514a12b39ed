/// The content of a disclosure: one credential, the attributes to show, and the statements to prove.
public struct IdemixDisclosureRequest: Sendable {
    /// The credential.
    public let credential: IdemixCredential
    /// The base indices to disclose; the metadata's, 1, is added.
    public let disclosed: Set<Int>
    /// Indicates that the disclosure proves that the credential is not revoked.
    public let provesNonRevocation: Bool
    /// Statements about hidden attributes, by base index.
    public let statements: [Int: [RangeStatement]]
    /// The number of squares in the proofs of the statements.
    public let squares: RangeStatement.Squares

    /// Describes a proof.
    ///
    /// - Throws: ``IdemixError/Code/invalidIndices`` for an index that is not an attribute's, for the secret key's, for
    ///   a statement about a disclosed attribute or one of more than l_m bits, and if the revocation attribute would
    ///   have to be hidden; ``IdemixError/Code/invalidWitness`` if there is no witness.
    public init(
        _ credential: IdemixCredential,
        disclosing disclosed: Set<Int>,
        provingNonRevocation: Bool = false,
        statements: [Int: [RangeStatement]] = [:],
        squares: RangeStatement.Squares = .four
    ) throws(IdemixError) {
        let disclosed = disclosed.union([1])
        let indices = 1...credential.attributes.count
        guard disclosed.allSatisfy(indices.contains) else {
            throw IdemixError(.invalidIndices, "a disclosed index is not one of 1 to \(credential.attributes.count)")
        }
        guard statements.keys.allSatisfy({ indices.contains($0) && !disclosed.contains($0) }) else {
            throw IdemixError(.invalidIndices, "a statement is about no attribute or a disclosed one")
        }
        let attributeBits = credential.publicKey.parameters.attribute
        guard statements.keys.allSatisfy({ credential.integer(at: $0).bitCount <= attributeBits }) else {
            throw IdemixError(.invalidIndices, "a statement is about an attribute that is signed as a hash")
        }
        if provingNonRevocation {
            guard let index = credential.revocationIndex else {
                throw IdemixError(.invalidWitness, "the credential has no witness")
            }
            guard !disclosed.contains(index) else {
                throw IdemixError(.invalidIndices, "the revocation attribute has to stay hidden")
            }
        }
        self.credential = credential
        self.disclosed = disclosed
        provesNonRevocation = provingNonRevocation
        self.statements = statements
        self.squares = squares
    }

    /// The same request with a newer witness of the credential.
    ///
    /// - Throws: ``IdemixError/Code/invalidWitness`` if the witness belongs to another credential.
    public func updatingWitness(_ witness: RevocationWitness) throws(IdemixError) -> IdemixDisclosureRequest {
        try IdemixDisclosureRequest(
            credential.updatingWitness(witness),
            disclosing: disclosed,
            provingNonRevocation: provesNonRevocation,
            statements: statements,
            squares: squares
        )
    }

    /// The base indices that stay hidden, the secret key's first.
    var hidden: [Int] {
        (0...credential.attributes.count).filter { !disclosed.contains($0) }
    }
}
