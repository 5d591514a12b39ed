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
