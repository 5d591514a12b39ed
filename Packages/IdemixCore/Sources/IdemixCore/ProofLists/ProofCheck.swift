/// The checks that a list of proofs has to pass, in the order in which they are made.
///
/// All but the last come before any exponentiation, so that a malformed list costs little.
public enum ProofCheck: String, CaseIterable, Hashable, Sendable {
    /// There is a proof, and one for each expectation.
    case count
    /// Each proof is of the expected kind.
    case kind
    /// The proof has no unrequested part: no proof of non-revocation and no range proof beyond the request.
    case unrequested
    /// The number of proofs, the length of the disclosed integers and the work that the list asks for stay within the
    /// limits.
    case limits
    /// Disclosed and hidden indices are disjoint and cover 0 … k, with 0 hidden, 1 disclosed and k within the type; the
    /// random-blind indices are the type's.
    case indices
    /// Each response and the challenge lie in the range of an honest prover's; disclosed integers are not negative.
    case ranges
    /// A', U and the other elements lie between 1 and n and are coprime with n. C_u is coprime with n; honest provers
    /// may send it unreduced.
    case groupElements
    /// All proofs have the same challenge.
    case commonChallenge
    /// All proofs of a group, those with the same keyshare server, have the same response for the secret key.
    case secretKey
    /// The requested parts are present: the proof of non-revocation, the range proofs.
    case completeness
    /// The accumulator's signature verifies under the issuer's key, and its index is not too old.
    case accumulator
    /// The challenge is the hash of the rebuilt commitments.
    case challenge
}
