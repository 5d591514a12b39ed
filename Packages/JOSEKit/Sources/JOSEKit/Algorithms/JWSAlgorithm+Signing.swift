public import CryptoCore

extension JWSAlgorithm {
    /// The engine's algorithm for a key; nil for HMAC, for a name that is not implemented, and where type or curve of the
    /// key do not go with the algorithm.
    public func signatureAlgorithm(for key: PublicKey) -> SignatureAlgorithm? {
        primitive?.algorithm(for: key)
    }

    /// The name that is written for a signature algorithm with a key: ES256, ES384, ES512, ES256K, EdDSA, PS256 to
    /// PS512 or RS256 to RS512; nil if none fits.
    public init?(_ algorithm: SignatureAlgorithm, for key: PublicKey) {
        let candidates: [JWSAlgorithm] = [
            .es256, .es384, .es512, .es256K, .edDSA, .ps256, .ps384, .ps512, .rs256, .rs384, .rs512,
        ]
        guard let fitting = candidates.first(where: { $0.signatureAlgorithm(for: key) == algorithm }) else {
            return nil
        }
        self = fitting
    }

    /// Returns `true` if signatures under both algorithms are the same with a key: those of EdDSA and Ed25519 are, with
    /// an Ed25519 key.
    func isEquivalent(to other: JWSAlgorithm, for key: PublicKey) -> Bool {
        guard self != other else { return true }
        guard let algorithm = signatureAlgorithm(for: key) else { return false }
        return algorithm == other.signatureAlgorithm(for: key)
    }

    /// The error for a name that is not implemented.
    var unsupported: JOSEError {
        let isNone = rawValue.lowercased().hasSameBytes(as: "none")
        let message = isNone ? "an object without a signature is never verified" : "\(rawValue) is not implemented"
        return JOSEError(.unsupportedAlgorithm, message, path: ["alg"])
    }
}
