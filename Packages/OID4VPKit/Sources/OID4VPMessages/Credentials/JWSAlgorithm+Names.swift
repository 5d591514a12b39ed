package import JOSEKit

extension JWSAlgorithm {
    /// The names by which requests list the algorithm of a signature.
    ///
    /// `EdDSA` is on the curve of one of the fully specified names (RFC 9864), which are what requests of 1.0 have; a header does
    /// not say of which.
    package var names: [ExactText] {
        switch self {
        case .edDSA: ["EdDSA", "Ed25519", "Ed448"]
        case .ed25519: ["Ed25519", "EdDSA"]
        case .ed448: ["Ed448", "EdDSA"]
        default: [ExactText(rawValue)]
        }
    }
}
