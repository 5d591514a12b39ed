public import VerificationCore

// The checks of a list of proofs that no other format has.
extension Check {
    /// There is a proof, and one for each expectation.
    public static let proofCount: Check = "proofCount"
    /// The proof has no unrequested part: no proof of non-revocation and no range proof beyond the request.
    public static let unrequestedProofs: Check = "unrequestedProofs"
    /// The number of proofs, the length of the disclosed integers and the work that the list asks for stay within the
    /// limits.
    public static let limits: Check = "limits"
    /// Disclosed and hidden indices are disjoint and cover 0 … k, with 0 hidden, 1 disclosed and k within the type; the
    /// random-blind indices are the type's.
    public static let indices: Check = "indices"
    /// Each response and the challenge lie in the range of an honest prover's; disclosed integers are not negative.
    public static let responseRanges: Check = "responseRanges"
    /// A', U and the other elements lie between 1 and n and are coprime with n.
    ///
    /// C_u is coprime with n; honest provers may send it unreduced.
    public static let groupElements: Check = "groupElements"
    /// All proofs have the same challenge.
    public static let commonChallenge: Check = "commonChallenge"
    /// The challenge is the hash of the rebuilt commitments: proof of the issuers' signatures, of the holder's knowledge and
    /// of the answer to this nonce, all at once.
    public static let proof: Check = "proof"
}

extension Reason {
    /// A proof that was not requested.
    public static let unrequestedProof: Reason = "unrequestedProof"
    /// The proof does not verify.
    public static let invalidProof: Reason = "invalidProof"
}

extension IdemixProofList {
    /// The checks of a list, in the order in which they are made.
    ///
    /// All but the last come before any exponentiation, so that a malformed list costs little. Metadata that cannot be
    /// read fails `credentialType`, another key counter than the expected key's `issuerKey`. A missing range proof fails
    /// `requiredClaims`, a missing proof of non-revocation or an unacceptable accumulator `status`, and another secret key
    /// than in the other proofs `holderBinding`.
    public static let checks: [Check] = [
        .proofCount, .type, .unrequestedProofs, .limits, .indices, .responseRanges, .groupElements, .credentialType,
        .issuerKey, .commonChallenge, .holderBinding, .requiredClaims, .validity, .status, .proof,
    ]
}
