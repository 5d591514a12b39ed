import CryptoCore

/// Content that was decrypted from authentic ciphertext.
///
/// Only the decryption of ``JWE`` makes values of this type. Authentic means made by an owner of the key; with a public
/// key, that is anyone.
public struct DecryptedJWE: Sendable {
    /// The content.
    public let plaintext: [UInt8]

    /// The header that the encryption authenticates.
    public let header: JOSEHeader

    /// The unauthenticated headers: the shared one and the recipient's.
    public let unprotectedHeader: JOSEHeader

    /// The data that the application authenticates along with the content (`aad`), or nil.
    public let additionalData: [UInt8]?

    /// The key management algorithm.
    public let algorithm: JWEAlgorithm

    /// The content encryption algorithm.
    public let encryption: JWEEncryption

    /// The index of the recipient that the key was for, counted from 0.
    public let recipientIndex: Int
}

extension JWE {
    /// Decrypts the content.
    ///
    /// Of several recipients, those with an accepted algorithm that fits the key are tried in turn, until one gives the
    /// content.
    /// - Parameters:
    ///   - key: The caller's key.
    ///   - policy: The caller's policy: the algorithms, the names of `crit`, tolerances.
    /// - Throws: ``JOSEError/Code/decryptionFailed`` for a wrong key, encrypted key, ciphertext or tag, without telling
    ///   which and in the same time; other codes for faults that the headers alone show: of `crit`, of the algorithms,
    ///   of the kind of key that they demand, of limits.
    public func decrypt(with key: JWEKey, policy: JWEDecryptionPolicy) async throws(JOSEError) -> DecryptedJWE {
        do throws(JOSEError) {
            return try await decrypted(key, policy)
        } catch {
            throw error.inside("JWE")
        }
    }

    private func decrypted(_ key: JWEKey, _ policy: JWEDecryptionPolicy) async throws(JOSEError) -> DecryptedJWE {
        try protectedHeader.requireCritical(in: policy.understoodParameters)
        let encryption = try policy.encryption(of: self)
        let inflatedSize = try policy.inflatedSize(of: self)
        let attempts = try attempts(key, policy, encryption)
        var failure: JOSEError?
        var iterations = policy.passwordIterations
        for attempt in attempts {
            guard attempt.recovery.passwordIterations <= iterations else {
                throw JOSEError(.limitExceeded, "the message takes too many iterations of passwords", path: ["p2c"])
            }
            iterations -= attempt.recovery.passwordIterations
            let contentKey: SecretBytes
            do throws(JOSEError) {
                contentKey = try await attempt.recovery.contentKey(attempt.secret)
            } catch {
                // A fault in its headers, or in a key that lives elsewhere: neither depends on the encrypted key.
                guard !Task.isCancelled else { throw error }
                failure = failure ?? error
                continue
            }
            guard let opened = open(contentKey, encryption.aead) else { continue }
            return DecryptedJWE(
                plaintext: try inflated(opened, inflatedSize),
                header: protectedHeader,
                unprotectedHeader: try sharedHeader.union(recipients[attempt.index].unprotectedHeader),
                additionalData: additionalData,
                algorithm: attempt.recovery.algorithm,
                encryption: encryption.name,
                recipientIndex: attempt.index
            )
        }
        throw failure ?? JOSEError(.decryptionFailed, "the object cannot be decrypted with this key")
    }

    /// One recipient with one key.
    private struct Attempt {
        let index: Int
        let recovery: JWEKeyRecovery
        let secret: JWEKeyResolution.Secret
    }

    /// The attempts to make, at least one; without any, throws the error of the first recipient.
    private func attempts(
        _ key: JWEKey,
        _ policy: JWEDecryptionPolicy,
        _ encryption: (name: JWEEncryption, aead: AEADAlgorithm)
    ) throws(JOSEError) -> [Attempt] {
        var attempts: [Attempt] = []
        var failure: JOSEError?
        for index in recipients.indices {
            do throws(JOSEError) {
                attempts += try self.attempts(at: index, key, policy, encryption)
            } catch {
                failure = failure ?? error
            }
        }
        if attempts.isEmpty, let failure { throw failure }
        return attempts
    }

    private func attempts(
        at index: Int,
        _ key: JWEKey,
        _ policy: JWEDecryptionPolicy,
        _ encryption: (name: JWEEncryption, aead: AEADAlgorithm)
    ) throws(JOSEError) -> [Attempt] {
        let recipient = recipients[index]
        if let fault = recipient.fault { throw fault }
        let algorithm = try policy.algorithm(of: recipient)
        guard let primitive = algorithm.primitive else { return [] }
        try requireRules(of: primitive, recipient)
        let resolution = JWEKeyResolution(
            recipient: recipient,
            algorithm: algorithm,
            primitive: primitive,
            encryption: encryption.name,
            contentKeySize: encryption.aead.keySize
        )
        let recovery = JWEKeyRecovery(
            recipient: recipient,
            algorithm: algorithm,
            primitive: primitive,
            encryption: encryption.name,
            contentKeySize: encryption.aead.keySize,
            maximumIterations: policy.maximumPasswordIterations
        )
        return try resolution.secrets(key).map { Attempt(index: index, recovery: recovery, secret: $0) }
    }

    /// An algorithm that sends no key has one recipient and no encrypted key (RFC 7516, section 5.2, steps 10 and 11).
    private func requireRules(of primitive: JWEPrimitive, _ recipient: JWERecipient) throws(JOSEError) {
        guard primitive.sendsNoKey else { return }
        guard recipients.count == 1 else {
            throw JOSEError(.invalidRecipient, "the algorithm has one recipient only", path: ["recipients"])
        }
        guard recipient.encryptedKey.isEmpty else {
            throw JOSEError(.invalidRecipient, "the algorithm has no encrypted key", path: ["encrypted_key"])
        }
    }

    /// The decrypted content, or nil; the reason of a failure must not be told (RFC 7516, section 11.5).
    private func open(_ key: SecretBytes, _ aead: AEADAlgorithm) -> [UInt8]? {
        do {
            return try aead.open(
                content.ciphertext,
                tag: content.tag,
                key: key,
                nonce: content.initializationVector,
                additionalData: authenticatedBytes
            )
        } catch {
            return nil
        }
    }

    private func inflated(_ content: [UInt8], _ maximumSize: Int?) throws(JOSEError) -> [UInt8] {
        guard let maximumSize else { return content }
        return try within("zip") { () throws(JOSEError) in
            try Deflate.decompress(content, format: .raw, maximumSize: maximumSize)
        }
    }
}
