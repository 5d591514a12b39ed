import CryptoCore

/// Recovers the content encryption key of one recipient.
///
/// On failure, random bytes take the key's place, so that the decryption of the content fails as under any wrong key.
/// Neither an error nor a shorter time tells a stranger how far a forged key came (RFC 7516, section 11.5).
struct JWEKeyRecovery {
    let recipient: JWERecipient
    let algorithm: JWEAlgorithm
    let primitive: JWEPrimitive
    let encryption: JWEEncryption
    let contentKeySize: Int
    let maximumIterations: Int

    /// The iterations of a password's derivation, as far as they are allowed; 0 for another algorithm.
    var passwordIterations: Int {
        guard case .password = primitive, let count = try? recipient.header.integer("p2c") else { return 0 }
        return (1...max(1, maximumIterations)).contains(count) ? count : 0
    }

    /// The content encryption key, or as many random bytes.
    ///
    /// - Throws: For what the headers say and for failures of a key that lives elsewhere; never for an encrypted key that is
    ///   wrong.
    func contentKey(_ secret: JWEKeyResolution.Secret) async throws(JOSEError) -> SecretBytes {
        // Without an encrypted key there is nothing to forge, and nothing that takes time to replace.
        guard !primitive.sendsNoKey else {
            return try await recovered(secret) ?? .random(count: contentKeySize)
        }
        let substitute = SecretBytes.random(count: contentKeySize)
        let found = try await recovered(secret) ?? substitute
        return found.count == contentKeySize ? found : substitute
    }

    private func recovered(_ secret: JWEKeyResolution.Secret) async throws(JOSEError) -> SecretBytes? {
        switch (primitive, secret) {
        case (.direct, .symmetric(let key)): return key
        case (.keyWrap, .symmetric(let key)):
            return uniform { () throws(CryptoError) in try AESKeyWrap.unwrap(recipient.encryptedKey, with: key) }
        case (.gcmKeyWrap, .symmetric(let key)): return try unwrapGCM(key)
        case (.rsaOAEP(let hash), .rsa(let key)):
            return try decryptOAEP(key, hash)
        case (.rsaPKCS1, .rsa(let key)): return try decryptPKCS1(key)
        case (.password(let hash, let size), .password(let password)):
            let key = try passwordKey(password, hash, size)
            return uniform { () throws(CryptoError) in try AESKeyWrap.unwrap(recipient.encryptedKey, with: key) }
        case (.agreement, .agreement(let key, let other)):
            return try await agreedKey(key, other, algorithmID: encryption.rawValue, size: contentKeySize)
        case (.agreementWithKeyWrap(let size), .agreement(let key, let other)):
            guard let wrapping = try await agreedKey(key, other, algorithmID: algorithm.rawValue, size: size) else {
                return nil
            }
            return uniform { () throws(CryptoError) in try AESKeyWrap.unwrap(recipient.encryptedKey, with: wrapping) }
        default: return nil
        }
    }

    /// A key, or nil; a fault in an encrypted key must not be told.
    private func uniform(_ body: () throws(CryptoError) -> SecretBytes) -> SecretBytes? {
        do throws(CryptoError) {
            return try body()
        } catch {
            return nil
        }
    }

    private func unwrapGCM(_ key: SecretBytes) throws(JOSEError) -> SecretBytes? {
        guard let vector = try recipient.header.bytes("iv"), let tag = try recipient.header.bytes("tag") else {
            throw JOSEError(.invalidHeader, "the wrapped key's iv or tag is not there", path: ["iv"])
        }
        let wrapped = AESGCMKeyWrap.WrappedKey(
            encryptedKey: recipient.encryptedKey,
            initializationVector: vector,
            tag: tag
        )
        return uniform { () throws(CryptoError) in try AESGCMKeyWrap.unwrap(wrapped, with: key) }
    }

    private func decryptOAEP(_ key: PrivateKey, _ hash: HashAlgorithm) throws(JOSEError) -> SecretBytes? {
        do {
            return try RSAOAEP.decrypt(recipient.encryptedKey, with: key, hash: hash)
        } catch {
            // Depends on the build alone, not on what was received.
            if error.code == .unsupported { throw algorithm.withoutEngine(error) }
            return nil
        }
    }

    private func decryptPKCS1(_ key: PrivateKey) throws(JOSEError) -> SecretBytes {
        do {
            return try InsecureRSAPKCS1v15.decryptKey(recipient.encryptedKey, with: key, length: contentKeySize)
        } catch {
            if error.code == .unsupported { throw algorithm.withoutEngine(error) }
            throw JOSEError(.operationFailed, "RSA1_5 is not possible", path: ["alg"], cause: error)
        }
    }

    private func passwordKey(
        _ password: SecretBytes,
        _ hash: HashAlgorithm,
        _ size: Int
    ) throws(JOSEError) -> SecretBytes {
        guard let salt = try recipient.header.bytes("p2s"), let count = try recipient.header.integer("p2c") else {
            throw JOSEError(.invalidHeader, "salt or iteration count is not there", path: ["p2s"])
        }
        let derivation = JWEPasswordDerivation(algorithm: algorithm, hash: hash, keySize: size)
        return try derivation.key(password, salt: salt, iterations: count, maximum: maximumIterations)
    }

    /// The key that both sides derive (RFC 7518, section 4.6.2); nil if the other key contributes nothing.
    private func agreedKey(
        _ key: any KeyAgreement,
        _ other: PublicKey,
        algorithmID: String,
        size: Int
    ) async throws(JOSEError) -> SecretBytes? {
        let (apu, apv) = (try recipient.header.agreementPartyUInfo(), try recipient.header.agreementPartyVInfo())
        let shared: SecretBytes
        do {
            shared = try await key.sharedSecret(with: other)
        } catch is CryptoError {
            return nil
        } catch {
            throw JOSEError(.operationFailed, "the key agreement failed", path: ["alg"], cause: error)
        }
        return uniform { () throws(CryptoError) in
            try ConcatKDF.deriveKey(
                sharedSecret: shared,
                algorithmID: algorithmID,
                partyUInfo: apu,
                partyVInfo: apv,
                length: size
            )
        }
    }
}
