package import CryptoCore

/// EMacKey: the key of a device MAC (ISO/IEC 18013-5, 12.4.5).
package enum DeviceMacKey {
    /// Derives the key from the shared secret of the static device key and the reader's key.
    static func derive(
        from sharedSecret: SecretBytes,
        _ sessionTranscript: SessionTranscript
    ) throws(MdocError) -> SecretBytes {
        try derive(from: sharedSecret, salt: sessionTranscript.salt)
    }

    /// Derives the key with a salt that need not be the session's.
    package static func derive(from sharedSecret: SecretBytes, salt: [UInt8]) throws(MdocError) -> SecretBytes {
        try SessionTranscript.deriveKey(from: sharedSecret, salt: salt, info: "EMacKey")
    }
}

extension SessionTranscript {
    /// A 32-byte key of the session by HKDF with SHA-256.
    package func deriveKey(from sharedSecret: SecretBytes, info: String) throws(MdocError) -> SecretBytes {
        try Self.deriveKey(from: sharedSecret, salt: salt, info: info)
    }

    /// A 32-byte key by HKDF with SHA-256.
    static func deriveKey(
        from sharedSecret: SecretBytes,
        salt: [UInt8],
        info: String
    ) throws(MdocError) -> SecretBytes {
        do {
            return try HKDF.deriveKey(
                hash: .sha256,
                inputKeyMaterial: sharedSecret,
                salt: salt,
                info: Array(info.utf8),
                length: 32
            )
        } catch {
            throw MdocError(.unsupportedKey, "the key \(info) cannot be derived", cause: error)
        }
    }
}

extension KeyAgreement {
    /// A shared secret, or an error of this module.
    package func mdocSharedSecret(with key: PublicKey) async throws(MdocError) -> SecretBytes {
        do {
            return try await sharedSecret(with: key)
        } catch {
            throw MdocError(.signingFailed, "the key agreement failed", cause: error)
        }
    }
}
