import Crypto

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
    func sharedSecret(with publicKey: [UInt8]) throws(CryptoError) -> SecretBytes {
        do {
            let peer = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey)
            return SecretBytes(try sharedSecretFromKeyAgreement(with: peer))
        } catch {
            throw CryptoError(.engineFailure, "the engine made no shared secret", cause: error)
        }
    }
}
