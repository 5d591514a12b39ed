import CryptoCore

extension COSEEncrypt {
    /// Decrypts the content with the key that one of the recipients gives (RFC 9052 sections 5.3 and 5.1).
    ///
    /// Tries the recipients in turn, until one gives the key of the content.
    ///
    /// - Parameters:
    ///   - policy: The caller's policy: the algorithms, the labels of `crit`, tolerances.
    ///   - context: The shared context of a key derivation.
    ///   - baseIV: The constant part of the nonce, for messages with a Partial IV.
    ///   - detachedCiphertext: The ciphertext, where the message does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the message.
    ///   - key: The caller's key for a recipient, or nil. It is called for every recipient, and for those of the layers
    ///     below where it returns nil. An error of another type becomes the cause of a ``COSEError`` with the code
    ///     ``COSEError/Code/operationFailed``.
    /// - Returns: The plaintext.
    /// - Throws: A ``COSEError`` whose code names the failed check.
    public func decrypt(
        policy: COSEPolicy,
        context: COSEKeyDerivationContext = COSEKeyDerivationContext(),
        baseIV: [UInt8]? = nil,
        detachedCiphertext: [UInt8]? = nil,
        externalAAD: [UInt8] = [],
        key: @escaping @Sendable (COSERecipient) async throws -> COSERecipientKey?
    ) async throws(COSEError) -> COSEVerifiedPayload {
        let resolution = RecipientKeyResolution(
            policy: policy,
            context: context,
            keys: key
        )
        do throws(COSEError) {
            let operation = try EncryptionOperation(policy.algorithm(of: headers))
            let use = try ContentKeyUse(operation.algorithm)
            let content = try COSEContent.resolve(
                attached: ciphertext,
                detached: detachedCiphertext,
                field: "ciphertext"
            )
            let nonce = try operation.nonce(of: headers, baseIV: baseIV)
            let additionalData = additionalAuthenticatedData(externalAAD: externalAAD)
            let plaintext = try await resolution.open(recipients, for: use, layer: .encrypt) {
                key throws(COSEError) in
                try operation.open(content, key: key, nonce: nonce, additionalData: additionalData)
            }
            return COSEVerifiedPayload(payload: plaintext[...], headers: headers, algorithm: operation.algorithm)
        } catch {
            throw error.inside("COSE_Encrypt")
        }
    }

    /// Decrypts the content with a key for whichever recipient it serves.
    ///
    /// - Parameters:
    ///   - key: The caller's key.
    ///   - policy: The caller's policy: the algorithms, the labels of `crit`, tolerances.
    ///   - context: The shared context of a key derivation.
    ///   - baseIV: The constant part of the nonce, for messages with a Partial IV.
    ///   - detachedCiphertext: The ciphertext, where the message does not carry it.
    ///   - externalAAD: Data that the application authenticates along with the message.
    public func decrypt(
        with key: COSERecipientKey,
        policy: COSEPolicy,
        context: COSEKeyDerivationContext = COSEKeyDerivationContext(),
        baseIV: [UInt8]? = nil,
        detachedCiphertext: [UInt8]? = nil,
        externalAAD: [UInt8] = []
    ) async throws(COSEError) -> COSEVerifiedPayload {
        try await decrypt(
            policy: policy,
            context: context,
            baseIV: baseIV,
            detachedCiphertext: detachedCiphertext,
            externalAAD: externalAAD,
            key: key.asSource
        )
    }

    /// The additional data of the AEAD: the encoded `Enc_structure` (RFC 9052 section 5.3).
    public func additionalAuthenticatedData(externalAAD: [UInt8] = []) -> [UInt8] {
        headers.encryptionAAD("Encrypt", externalAAD: externalAAD)
    }
}
