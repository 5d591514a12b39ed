/// What a verifier expects of a disclosure about revocation.
///
/// The base index of the revocation attribute is the one of the credential type's description; no verifier infers it from
/// a proof.
public enum NonRevocationExpectation: Hashable, Sendable {
    /// No proof of non-revocation: a disclosure with one is refused before any exponentiation.
    case absent
    /// A proof of non-revocation may be there, and is verified where it is: for attribute-based signatures of which the
    /// request is no longer known.
    case allowed(index: Int, minimumAccumulatorIndex: UInt64 = 0)
    /// A proof of non-revocation has to be there. The accumulator's index is at least the minimum, that of the last event
    /// which was sent along with the request.
    case required(index: Int, minimumAccumulatorIndex: UInt64 = 0)

    /// The base index of the revocation attribute, where a proof may be there.
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
