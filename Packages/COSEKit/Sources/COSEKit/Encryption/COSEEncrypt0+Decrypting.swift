public import CryptoCore

extension COSEEncrypt0 {
    /// Decrypts the content and checks that it is authentic (RFC 9052 section 5.3).
    ///
    /// - Parameters:
    ///   - key: The shared key, of exactly the algorithm's length.
    ///   - policy: The caller's policy: the algorithms, the labels of `crit`, tolerances.
    ///   - baseIV: The constant part of the nonce, for messages with a Partial IV.
    ///   - detachedCiphertext: The ciphertext, where the message does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the message.
    /// - Returns: The plaintext.
    /// - Throws: A ``COSEError`` whose code says which check failed: of `crit`, of the algorithm, of the ciphertext's
    ///   presence, of the nonce, of the key's length or of the authenticity.
    public func decrypt(
        with key: SecretBytes,
        policy: COSEPolicy,
        baseIV: [UInt8]? = nil,
        detachedCiphertext: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) throws(COSEError) -> COSEVerifiedPayload {
        try within("COSE_Encrypt0") { () throws(COSEError) in
            let operation = try EncryptionOperation(policy.algorithm(of: headers))
            let plaintext = try operation.open(
                COSEContent.resolve(attached: ciphertext, detached: detachedCiphertext, field: "ciphertext"),
                key: key,
                nonce: operation.nonce(of: headers, baseIV: baseIV),
                additionalData: headers.encryptionAAD("Encrypt0", externalAAD: externalAAD)
            )
            return COSEVerifiedPayload(payload: plaintext[...], headers: headers, algorithm: operation.algorithm)
        }
    }

    /// Decrypts the content with a COSE_Key, whose own restrictions (`alg`, `key_ops`) are enforced and whose Base IV is
    /// used.
    ///
    /// - Parameters:
    ///   - key: The shared key.
    ///   - policy: The caller's policy: the algorithms, the labels of `crit`, tolerances.
    ///   - detachedCiphertext: The ciphertext, where the message does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the message.
    public func decrypt(
        with key: COSEKey,
        policy: COSEPolicy,
        detachedCiphertext: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) throws(COSEError) -> COSEVerifiedPayload {
        try decrypt(
            with: key.symmetricKey(for: [.decrypt, .unwrapKey], headers),
            policy: policy,
            baseIV: key.baseIV.map { [UInt8]($0) },
            detachedCiphertext: detachedCiphertext,
            externalAAD: externalAAD
        )
    }

    /// The additional data of the AEAD: the encoded `Enc_structure` (RFC 9052 section 5.3).
    public func additionalAuthenticatedData(externalAAD: [UInt8] = []) -> [UInt8] {
        headers.encryptionAAD("Encrypt0", externalAAD: externalAAD)
    }
}
