/// What a verifier demands of key binding, decided before it looks at what was presented (RFC 9901, section 7.3, step 1).
public enum KeyBindingDemand: Sendable {
    /// There must be a Key Binding JWT, and it must hold what is expected.
    case required(KeyBindingExpectation)
    /// There may be one, and it must then hold what is expected.
    case optional(KeyBindingExpectation)
    /// There must be none: what an issuer hands to a holder, and what needs no holder.
    case forbidden

    /// What is expected where there is one.
    var expectation: KeyBindingExpectation? {
        switch self {
        case .required(let expectation), .optional(let expectation): expectation
        case .forbidden: nil
        }
    }
}
