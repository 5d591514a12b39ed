extension PrivateKey: KeyAgreement {
    /// The secret that this key shares with a public key: the x coordinate of the common point (SP 800-56A, 5.7.1.2),
    /// or the result of X25519 and X448 (RFC 7748, 6).
    ///
    /// Derive keys from it; it is not uniformly random.
    /// - Throws: ``CryptoError`` with the code `keyMismatch` for keys of different curves or without key agreement, and
    ///   `smallOrderPoint` for an all-zero result of X25519 or X448, which no ``PublicKey`` leads to.
    public func sharedSecret(with publicKey: PublicKey) throws(CryptoError) -> SecretBytes {
        guard publicKey.curve == self.publicKey.curve else {
            throw CryptoError(.keyMismatch, "\(publicKey) is not on the curve of \(self)")
        }
        switch engine {
        case .ecdsa(let key):
            return try key.sharedSecret(with: publicKey)
        case .agreement(let key):
            let secret = try key.sharedSecret(with: publicKey)
            guard secret.isNonzero else {
                throw CryptoError(.smallOrderPoint, "the public key contributes nothing to the shared secret")
            }
            return secret
        case .edDSA, .rsa:
            throw CryptoError(.keyMismatch, "there is no key agreement with \(self)")
        }
    }
}
