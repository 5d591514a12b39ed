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
