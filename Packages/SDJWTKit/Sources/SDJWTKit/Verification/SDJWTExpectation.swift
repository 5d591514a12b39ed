/// A verifier's expectation of one presentation, decided before it sees it (RFC 9901, section 7.3, step 1).
public enum SDJWTExpectation: Sendable {
    /// There must be a Key Binding JWT, and it must hold what is expected.
    case keyBinding(KeyBindingExpectation)
    /// There may be a Key Binding JWT, and it must then hold what is expected.
    case keyBindingIfPresent(KeyBindingExpectation)
    /// There must be no Key Binding JWT: what an issuer hands to a holder, and what needs no holder.
    case noKeyBinding

    /// The expectation for a Key Binding JWT that is present.
    var keyBinding: KeyBindingExpectation? {
        switch self {
        case .keyBinding(let expectation), .keyBindingIfPresent(let expectation): expectation
        case .noKeyBinding: nil
        }
    }
}
