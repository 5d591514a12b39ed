import Crypto

/// An engine's operations with a private key on a Weierstrass curve.
protocol ECPrivateKeyEngine: Sendable {
    /// r‖s over a digest, of the curve's exact width.
    func rawSignature(digest: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8]

    /// The x coordinate of the point shared with a public key of the same curve.
    func sharedSecret(with publicKey: PublicKey) throws(CryptoError) -> SecretBytes
}

/// An engine's operations with a private key on an Edwards curve.
protocol EdDSASigner: Sendable {
    /// The signature over a message.
    func signature(message: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8]
}

/// An engine's operations with a private key on a Montgomery curve.
protocol MontgomeryAgreement: Sendable {
    /// The secret shared with a public key of the same curve; may be all zeros, which the caller refuses.
    func sharedSecret(with publicKey: PublicKey) throws(CryptoError) -> SecretBytes
}

extension Curve25519.Signing.PublicKey: EdDSAVerifier {
    func isValid(signature: UnsafeRawBufferPointer, message: UnsafeRawBufferPointer) -> Bool {
        unsafe isValidSignature(signature, for: message)
    }
}

extension Curve25519.Signing.PrivateKey: EdDSASigner {
    func signature(message: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
        do {
            return [UInt8](try unsafe signature(for: message))
        } catch {
            throw CryptoError(.engineFailure, "the engine made no EdDSA signature", cause: error)
        }
    }
}

extension Curve25519.KeyAgreement.PrivateKey: MontgomeryAgreement {
    func sharedSecret(with publicKey: CryptoCore.PublicKey) throws(CryptoError) -> SecretBytes {
        do {
            let peer = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey.encoded)
            return SecretBytes(try sharedSecretFromKeyAgreement(with: peer))
        } catch {
            throw CryptoError(.engineFailure, "the engine made no shared secret", cause: error)
        }
    }
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

/// A digest that was computed elsewhere, in the form that swift-crypto takes digests in.
///
/// It points at the digest's bytes and must not outlive the call that lends them; that is also what makes
/// `@unchecked Sendable` hold.
@safe
struct PrehashedDigest: Digest, @unchecked Sendable {
    /// Digests of several sizes come through here; the size that counts is that of the bytes lent.
    static var byteCount: Int { 0 }

    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
    }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe body(bytes)
    }

    func hash(into hasher: inout Hasher) {
        unsafe hasher.combine(bytes: bytes)
    }
}
