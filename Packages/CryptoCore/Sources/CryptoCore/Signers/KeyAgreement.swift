/// An owner of a private key for Diffie-Hellman that computes shared secrets with it, perhaps in hardware.
public protocol KeyAgreement: Sendable {
    /// The public key that belongs to it.
    var publicKey: PublicKey { get }

    /// The secret shared with a public key of the same curve.
    ///
    /// An implementation refuses keys of other curves and, on X25519 and X448, results of all zeros.
    func sharedSecret(with publicKey: PublicKey) async throws -> SecretBytes
}
