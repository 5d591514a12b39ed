/// The bases that every issuer's public key has.
enum CommonBase: Hashable, Sendable {
    case s
    case zInverse
    /// R_0.
    case secretKey

    /// The longest exponent that occurs in the proofs.
    func exponentBits(_ parameters: IdemixSystemParameters) -> Int {
        switch self {
        case .s: parameters.vCommitment + 1
        case .zInverse: parameters.challenge
        case .secretKey: KeyBase.r(0).exponentBits(parameters)
        }
    }
}

/// The bases that a public key may lack: those beyond its number of attributes, and those of revocation.
enum KeyBase: Hashable, Sendable {
    case r(Int)
    case g
    case h

    /// The longest exponent that occurs in the proofs.
    func exponentBits(_ parameters: IdemixSystemParameters) -> Int {
        switch self {
        case .r: parameters.attributeCommitment + 1
        case .g, .h: RevocationParameters.exponentBits(modulus: parameters.modulus)
        }
    }
}
