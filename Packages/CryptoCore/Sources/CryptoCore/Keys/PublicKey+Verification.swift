#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PublicKey {
    /// Returns `true` if a signature over a message verifies under this key.
    ///
    /// False also where the algorithm does not go with the key; ``SignatureAlgorithm/supports(_:)`` tells that apart.
    /// - Parameters:
    ///   - signature: For ECDSA in the given format; for EdDSA and RSA as their standards write it.
    ///   - message: The signed bytes.
    ///   - algorithm: The algorithm, which the caller chooses and never the signature.
    ///   - format: The encoding of r and s; no meaning for EdDSA and RSA.
    @inlinable
    public func isValidSignature(
        _ signature: some ContiguousBytes,
        for message: some ContiguousBytes,
        algorithm: SignatureAlgorithm,
        format: ECDSASignatureFormat = .raw
    ) -> Bool {
        unsafe signature.withUnsafeBytes { signature in
            unsafe message.withUnsafeBytes { message in
                unsafe isValid(signature, message: message, algorithm: algorithm, format: format)
            }
        }
    }

    /// Returns `true` if a signature over a message in two pieces verifies under this key.
    ///
    /// A long message is not copied to put a head before it, as far as the algorithm hashes it first.
    /// - Parameters:
    ///   - signature: As for a message in one piece.
    ///   - head: The first of the signed bytes.
    ///   - rest: The signed bytes after these.
    ///   - algorithm: The algorithm.
    ///   - format: The encoding of r and s; no meaning for EdDSA and RSA.
    @inlinable
    @_spi(Layers) public func isValidSignature(
        _ signature: some ContiguousBytes,
        for head: some ContiguousBytes,
        followedBy rest: some ContiguousBytes,
        algorithm: SignatureAlgorithm,
        format: ECDSASignatureFormat = .raw
    ) -> Bool {
        unsafe signature.withUnsafeBytes { signature in
            unsafe head.withUnsafeBytes { head in
                unsafe rest.withUnsafeBytes { rest in
                    unsafe isValid(signature, head: head, rest: rest, algorithm: algorithm, format: format)
                }
            }
        }
    }

    @usableFromInline
    func isValid(
        _ signature: UnsafeRawBufferPointer,
        head: UnsafeRawBufferPointer,
        rest: UnsafeRawBufferPointer,
        algorithm: SignatureAlgorithm,
        format: ECDSASignatureFormat
    ) -> Bool {
        guard case .ecdsa(let hash) = algorithm.kind else {
            let message = unsafe [UInt8](head) + rest
            return unsafe isValidSignature(signature, for: message, algorithm: algorithm, format: format)
        }
        return unsafe hash.withDigest(of: head, followedBy: rest) { digest in
            unsafe isValid(signature, digest: digest, algorithm: algorithm, format: format)
        }
    }

    /// Returns `true` if a signature over a message with the given digest verifies under this key.
    ///
    /// False also for EdDSA, which takes whole messages, for a digest of another length than the algorithm's, and for RSA
    /// in a build without libcrypto.
    /// - Parameters:
    ///   - signature: As for a message.
    ///   - digest: The message's digest under the algorithm's hash function.
    ///   - algorithm: The algorithm.
    ///   - format: The encoding of r and s; no meaning for RSA.
    @inlinable
    public func isValidSignature(
        _ signature: some ContiguousBytes,
        digest: some ContiguousBytes,
        algorithm: SignatureAlgorithm,
        format: ECDSASignatureFormat = .raw
    ) -> Bool {
        unsafe signature.withUnsafeBytes { signature in
            unsafe digest.withUnsafeBytes { digest in
                unsafe isValid(signature, digest: digest, algorithm: algorithm, format: format)
            }
        }
    }

    @usableFromInline
    func isValid(
        _ signature: UnsafeRawBufferPointer,
        message: UnsafeRawBufferPointer,
        algorithm: SignatureAlgorithm,
        format: ECDSASignatureFormat
    ) -> Bool {
        if case .ecdsa(let hash) = algorithm.kind {
            return unsafe hash.withDigest(of: message) { digest in
                unsafe isValid(signature, digest: digest, algorithm: algorithm, format: format)
            }
        }
        switch (engine, algorithm.kind) {
        case (.edDSA(let key), .ed25519), (.edDSA(let key), .ed448):
            guard algorithm.supports(self), signature.count == 2 * encoded.count else { return false }
            return unsafe key.isValid(signature: signature, message: message)
        case (.rsa(let key), _):
            guard let parameters = RSASignatureParameters(algorithm), allows(parameters) else { return false }
            return unsafe key.isValid(signature, message: message, parameters: parameters)
        default:
            return false
        }
    }

    @usableFromInline
    func isValid(
        _ signature: UnsafeRawBufferPointer,
        digest: UnsafeRawBufferPointer,
        algorithm: SignatureAlgorithm,
        format: ECDSASignatureFormat
    ) -> Bool {
        guard digest.count == algorithm.hash?.digestSize else { return false }
        switch (engine, algorithm.kind) {
        case (.ecdsa(let key), .ecdsa):
            return unsafe isValidECDSA(signature, digest: digest, key: key, format: format)
        case (.rsa(let key), _):
            guard let parameters = RSASignatureParameters(algorithm), allows(parameters) else { return false }
            return unsafe key.isValid(signature, digest: digest, parameters: parameters)
        default:
            return false
        }
    }

    /// Returns `true` if the restriction of an RSA key, if it has one, allows parameters.
    func allows(_ parameters: RSASignatureParameters) -> Bool {
        restriction?.allows(parameters) ?? true
    }

    private func isValidECDSA(
        _ signature: UnsafeRawBufferPointer,
        digest: UnsafeRawBufferPointer,
        key: any ECDSAVerifier,
        format: ECDSASignatureFormat
    ) -> Bool {
        guard let curve else { return false }
        switch format {
        case .raw:
            guard signature.count == 2 * curve.coordinateSize else { return false }
            return unsafe key.isValid(rawSignature: signature, digest: digest)
        case .der:
            guard let raw = unsafe ECDSASignature.raw(fromDER: [UInt8](signature)[...], curve: curve) else {
                return false
            }
            return unsafe raw.withUnsafeBytes { unsafe key.isValid(rawSignature: $0, digest: digest) }
        }
    }
}

extension SignatureAlgorithm {
    /// Returns `true` if keys of this kind can be used with the algorithm, and the build has an engine for it.
    public func supports(_ key: PublicKey) -> Bool {
        switch (kind, key.engine) {
        case (.ecdsa, .ecdsa): true
        case (.ed25519, _): key.curve == .ed25519
        case (.ed448, _): key.curve == .ed448
        case (_, .rsa(let rsaKey)): RSASignatureParameters(self).map { rsaKey.supports($0) && key.allows($0) } ?? false
        default: false
        }
    }
}
