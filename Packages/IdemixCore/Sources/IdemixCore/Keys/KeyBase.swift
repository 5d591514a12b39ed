/// The fixed bases of an issuer's public key.
enum KeyBase: Hashable, Sendable {
    case s
    case zInverse
    case r(Int)
    case g
    case h

    /// The longest exponent that occurs in the proofs.
    func exponentBits(_ parameters: SystemParameters) -> Int {
        switch self {
        case .s: parameters.vCommitment + 1
        case .zInverse: parameters.challenge
        case .r: parameters.attributeCommitment + 1
        case .g, .h: RevocationParameters.exponentBits(modulus: parameters.modulus)
        }
    }
}
