#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PrivateKey {
    /// A signature over a message.
    ///
    /// - Parameters:
    ///   - message: The bytes to sign.
    ///   - algorithm: An algorithm that goes with the key.
    ///   - format: The encoding of ECDSA's r and s.
    /// - Throws: ``CryptoError`` with the code `keyMismatch` if the algorithm does not go with the key, or
    ///   `unsupported`.
    public func signature(
        for message: some ContiguousBytes,
        algorithm: SignatureAlgorithm,
        format: ECDSASignatureFormat = .raw
    ) throws(CryptoError) -> [UInt8] {
        let result = unsafe message.withUnsafeBytes { message in
            Result { () throws(CryptoError) in
                try unsafe signature(message: message, algorithm: algorithm, format: format)
            }
        }
        return try result.get()
    }

    /// A signature over a message whose digest was computed elsewhere.
    ///
    /// - Parameters:
    ///   - digest: The message's digest under the algorithm's hash function.
    ///   - algorithm: An algorithm that goes with the key; EdDSA takes whole messages only.
    ///   - format: The encoding of ECDSA's r and s.
    /// - Throws: ``CryptoError`` with the code `invalidLength` for another length than the hash function's, `keyMismatch`,
    ///   or `unsupported`.
    public func signature(
        digest: some ContiguousBytes,
        algorithm: SignatureAlgorithm,
        format: ECDSASignatureFormat = .raw
    ) throws(CryptoError) -> [UInt8] {
        let result = unsafe digest.withUnsafeBytes { digest in
            Result { () throws(CryptoError) in
                try unsafe signature(digest: digest, algorithm: algorithm, format: format)
            }
        }
        return try result.get()
    }

    private func signature(
        message: UnsafeRawBufferPointer,
        algorithm: SignatureAlgorithm,
        format: ECDSASignatureFormat
    ) throws(CryptoError) -> [UInt8] {
        switch (engine, algorithm.kind) {
        case (.ecdsa, .ecdsa(let hash)):
            let result = unsafe hash.withDigest(of: message) { digest in
                Result { () throws(CryptoError) in
                    try unsafe signature(digest: digest, algorithm: algorithm, format: format)
                }
            }
            return try result.get()
        case (.edDSA(let key), _) where algorithm.supports(publicKey):
            return try unsafe key.signature(message: message)
        case (.rsa(let key), _):
            guard let parameters = RSASignatureParameters(algorithm), publicKey.allows(parameters) else {
                throw mismatch(algorithm)
            }
            return try unsafe key.signature(message: message, parameters: parameters)
        default:
            throw mismatch(algorithm)
        }
    }

    private func signature(
        digest: UnsafeRawBufferPointer,
        algorithm: SignatureAlgorithm,
        format: ECDSASignatureFormat
    ) throws(CryptoError) -> [UInt8] {
        guard let hash = algorithm.hash else {
            throw CryptoError(.unsupported, "\(algorithm.name) signs whole messages, not digests")
        }
        guard digest.count == hash.digestSize else {
            throw CryptoError(.invalidLength, "\(digest.count) bytes are no digest of \(hash.name)")
        }
        switch (engine, algorithm.kind) {
        case (.ecdsa(let key), .ecdsa):
            let raw = try unsafe key.rawSignature(digest: digest)
            return format == .raw ? raw : ECDSASignature.der(fromRaw: raw)
        case (.rsa(let key), _):
            guard let parameters = RSASignatureParameters(algorithm), publicKey.allows(parameters) else {
                throw mismatch(algorithm)
            }
            return try unsafe key.signature(digest: digest, parameters: parameters)
        default:
            throw mismatch(algorithm)
        }
    }

    private func mismatch(_ algorithm: SignatureAlgorithm) -> CryptoError {
        CryptoError(.keyMismatch, "\(algorithm.name) does not go with \(publicKey)")
    }
}

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
            return try key.sharedSecret(with: publicKey.encoded)
        case .agreement(let key):
            let secret = try key.sharedSecret(with: publicKey.encoded)
            guard secret.isNonzero else {
                throw CryptoError(.smallOrderPoint, "the public key contributes nothing to the shared secret")
            }
            return secret
        case .edDSA, .rsa:
            throw CryptoError(.keyMismatch, "there is no key agreement with \(self)")
        }
    }
}
