/// A verifier's demand for key binding, decided before it sees the presentation (RFC 9901, section 7.3, step 1).
public enum KeyBindingDemand: Sendable {
    /// There must be a Key Binding JWT, and it must hold what is expected.
    case required(KeyBindingExpectation)
    /// There may be one, and it must then hold what is expected.
    case optional(KeyBindingExpectation)
    /// There must be none: what an issuer hands to a holder, and what needs no holder.
    case forbidden

    /// The expectation for a Key Binding JWT that is present.
    var expectation: KeyBindingExpectation? {
        switch self {
        case .required(let expectation), .optional(let expectation): expectation
        case .forbidden: nil
        }
    }
}
