import Crypto

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AEADAlgorithm {
    /// Encrypts and authenticates a plaintext, and gives ciphertext and tag apart, as JOSE needs them.
    ///
    /// - Parameters:
    ///   - plaintext: The plaintext.
    ///   - key: Exactly ``keySize`` bytes.
    ///   - nonce: Exactly ``nonceSize`` bytes, never used before with this key.
    ///   - additionalData: Data to authenticate along with the plaintext.
    /// - Throws: ``CryptoError/Code/invalidLength`` for a key or nonce of another size and for a plaintext that is too
    ///   long for the algorithm, ``CryptoError/Code/unsupported`` if ``isSupported`` is false.
    public func seal(
        _ plaintext: some ContiguousBytes,
        key: some ContiguousBytes,
        nonce: some ContiguousBytes,
        additionalData: some ContiguousBytes = [UInt8]()
    ) throws(CryptoError) -> (ciphertext: [UInt8], tag: [UInt8]) {
        var sealed = try sealCombined(plaintext, key: key, nonce: nonce, additionalData: additionalData)
        let tag = [UInt8](sealed.suffix(tagSize))
        sealed.removeLast(tag.count)
        return (sealed, tag)
    }

    /// Encrypts and authenticates a plaintext, and gives the ciphertext with the tag at its end, as COSE and HPKE need it.
    ///
    /// - Parameters:
    ///   - plaintext: The plaintext.
    ///   - key: Exactly ``keySize`` bytes.
    ///   - nonce: Exactly ``nonceSize`` bytes, never used before with this key.
    ///   - additionalData: Data to authenticate along with the plaintext.
    /// - Throws: As ``seal(_:key:nonce:additionalData:)``.
    public func sealCombined(
        _ plaintext: some ContiguousBytes,
        key: some ContiguousBytes,
        nonce: some ContiguousBytes,
        additionalData: some ContiguousBytes = [UInt8]()
    ) throws(CryptoError) -> [UInt8] {
        let parameters = try AEADParameters(self, key: key, nonce: nonce)
        return try unsafe plaintext.lend { plaintext throws(CryptoError) in
            try unsafe additionalData.lend { additionalData throws(CryptoError) in
                switch mode {
                case .gcm: try unsafe AESGCM.seal(plaintext, parameters, additionalData)
                case .ccm: try unsafe AESCCM.seal(plaintext, parameters, additionalData)
                case .chaCha20Poly1305: try unsafe ChaCha20Poly1305.seal(plaintext, parameters, additionalData)
                case .xChaCha20Poly1305:
                    try unsafe ChaCha20Poly1305.seal(plaintext, parameters.reducedFromXChaCha(), additionalData)
                case .cbcHMAC(let hash): try unsafe AESCBCHMAC.seal(plaintext, parameters, additionalData, hash: hash)
                }
            }
        }
    }

    /// Checks the tag and decrypts a ciphertext.
    ///
    /// - Parameters:
    ///   - ciphertext: The ciphertext without its tag.
    ///   - tag: Exactly ``tagSize`` bytes.
    ///   - key: Exactly ``keySize`` bytes.
    ///   - nonce: Exactly ``nonceSize`` bytes.
    ///   - additionalData: The data that was authenticated along with the plaintext.
    /// - Throws: ``CryptoError/Code/authenticationFailure`` whenever the input is not authentic, whatever the reason;
    ///   ``CryptoError/Code/invalidLength`` for a key, nonce or tag of another size; ``CryptoError/Code/unsupported``
    ///   if ``isSupported`` is false.
    public func open(
        _ ciphertext: some ContiguousBytes,
        tag: some ContiguousBytes,
        key: some ContiguousBytes,
        nonce: some ContiguousBytes,
        additionalData: some ContiguousBytes = [UInt8]()
    ) throws(CryptoError) -> [UInt8] {
        try CryptoError.requireLength(tag.byteCount, of: "tag", for: name, equals: tagSize)
        let parameters = try AEADParameters(self, key: key, nonce: nonce)
        return try unsafe ciphertext.lend { ciphertext throws(CryptoError) in
            try unsafe tag.lend { tag throws(CryptoError) in
                try unsafe additionalData.lend { additionalData throws(CryptoError) in
                    try unsafe open(ciphertext, tag: tag, parameters, additionalData)
                }
            }
        }
    }

    /// Checks the tag at the end of a ciphertext and decrypts the rest.
    ///
    /// - Parameters:
    ///   - ciphertext: The ciphertext followed by its tag of ``tagSize`` bytes.
    ///   - key: Exactly ``keySize`` bytes.
    ///   - nonce: Exactly ``nonceSize`` bytes.
    ///   - additionalData: The data that was authenticated along with the plaintext.
    /// - Throws: As ``open(_:tag:key:nonce:additionalData:)``; an input shorter than the tag is an
    ///   ``CryptoError/Code/invalidLength``.
    public func openCombined(
        _ ciphertext: some ContiguousBytes,
        key: some ContiguousBytes,
        nonce: some ContiguousBytes,
        additionalData: some ContiguousBytes = [UInt8]()
    ) throws(CryptoError) -> [UInt8] {
        let parameters = try AEADParameters(self, key: key, nonce: nonce)
        return try unsafe ciphertext.lend { sealed throws(CryptoError) in
            guard sealed.count >= tagSize else {
                throw CryptoError(.invalidLength, "\(name): \(sealed.count) bytes cannot hold a tag of \(tagSize)")
            }
            let ciphertext = unsafe UnsafeRawBufferPointer(rebasing: sealed.dropLast(tagSize))
            let tag = unsafe UnsafeRawBufferPointer(rebasing: sealed.suffix(tagSize))
            return try unsafe additionalData.lend { additionalData throws(CryptoError) in
                try unsafe open(ciphertext, tag: tag, parameters, additionalData)
            }
        }
    }

    private func open(
        _ ciphertext: UnsafeRawBufferPointer,
        tag: UnsafeRawBufferPointer,
        _ parameters: AEADParameters,
        _ additionalData: UnsafeRawBufferPointer
    ) throws(CryptoError) -> [UInt8] {
        switch mode {
        case .gcm: try unsafe AESGCM.open(ciphertext, tag, parameters, additionalData)
        case .ccm: try unsafe AESCCM.open(ciphertext, tag, parameters, additionalData)
        case .chaCha20Poly1305: try unsafe ChaCha20Poly1305.open(ciphertext, tag, parameters, additionalData)
        case .xChaCha20Poly1305:
            try unsafe ChaCha20Poly1305.open(ciphertext, tag, parameters.reducedFromXChaCha(), additionalData)
        case .cbcHMAC(let hash): try unsafe AESCBCHMAC.open(ciphertext, tag, parameters, additionalData, hash: hash)
        }
    }
}
