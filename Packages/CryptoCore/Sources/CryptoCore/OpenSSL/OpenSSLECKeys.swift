#if OpenSSL
/// A public key on a Weierstrass curve of libcrypto.
struct OpenSSLECPublicKey: ECDSAVerifier {
    let key: EVPKey

    func isValid(rawSignature: UnsafeRawBufferPointer, digest: UnsafeRawBufferPointer) -> Bool {
        unsafe key.isValidECDSA(ECDSASignature.der(fromRaw: [UInt8](rawSignature)), digest: digest)
    }
}

/// A private key on a Weierstrass curve of libcrypto.
struct OpenSSLECPrivateKey: ECPrivateKeyEngine {
    let curve: EllipticCurve
    let key: EVPKey

    func rawSignature(digest: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
        let der = try unsafe key.ecdsaSignature(digest: digest)
        guard let raw = ECDSASignature.raw(fromDER: der[...], curve: curve) else {
            throw CryptoError(.engineFailure, "libcrypto made a malformed ECDSA signature")
        }
        return raw
    }

    func sharedSecret(with publicKey: [UInt8]) throws(CryptoError) -> SecretBytes {
        guard let peer = EVPKey(curve, point: publicKey) else {
            throw CryptoError(.engineFailure, "libcrypto refuses the public key")
        }
        return try key.sharedSecret(with: peer, size: curve.coordinateSize)
    }
}

/// A public key on Ed448.
struct OpenSSLEd448PublicKey: EdDSAVerifier {
    let key: EVPKey

    func isValid(signature: UnsafeRawBufferPointer, message: UnsafeRawBufferPointer) -> Bool {
        unsafe key.isValidEdDSA(signature, message: message)
    }
}

/// A private key on Ed448.
struct OpenSSLEd448PrivateKey: EdDSASigner {
    let key: EVPKey

    func signature(message: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
        try unsafe key.edDSASignature(message: message)
    }
}

/// A private key on X448.
struct OpenSSLX448PrivateKey: MontgomeryAgreement {
    let key: EVPKey

    func sharedSecret(with publicKey: [UInt8]) throws(CryptoError) -> SecretBytes {
        guard let peer = EVPKey(.x448, raw: publicKey) else {
            throw CryptoError(.engineFailure, "libcrypto refuses the public key")
        }
        return try key.sharedSecret(with: peer, size: EllipticCurve.x448.coordinateSize)
    }
}
#endif
