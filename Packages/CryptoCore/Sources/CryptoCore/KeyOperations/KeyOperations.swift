/// An engine's operations with a private key on a Weierstrass curve.
protocol ECPrivateKeyEngine: Sendable {
    /// r‖s over a digest, of the curve's exact width.
    func rawSignature(digest: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8]

    /// The x coordinate of the point shared with a public key of the same curve, an uncompressed point.
    func sharedSecret(with publicKey: [UInt8]) throws(CryptoError) -> SecretBytes
}

/// An engine's operations with a private key on an Edwards curve.
protocol EdDSASigner: Sendable {
    /// The signature over a message.
    func signature(message: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8]
}

/// An engine's operations with a private key on a Montgomery curve.
protocol MontgomeryAgreement: Sendable {
    /// The secret shared with a raw public key of the same curve; may be all zeros, which the caller refuses.
    func sharedSecret(with publicKey: [UInt8]) throws(CryptoError) -> SecretBytes
}

/// An engine's operations with a public key on a Weierstrass curve.
protocol ECDSAVerifier: Sendable {
    /// Returns `true` if r‖s of the curve's exact width is a signature over the digest.
    func isValid(rawSignature: UnsafeRawBufferPointer, digest: UnsafeRawBufferPointer) -> Bool
}

/// An engine's operations with a public key on an Edwards curve.
protocol EdDSAVerifier: Sendable {
    /// Returns `true` if the signature, of the curve's exact width, is one over the message.
    func isValid(signature: UnsafeRawBufferPointer, message: UnsafeRawBufferPointer) -> Bool
}
