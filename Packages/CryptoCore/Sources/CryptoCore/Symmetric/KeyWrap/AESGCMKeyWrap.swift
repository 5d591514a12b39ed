#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Key encryption with AES-GCM (RFC 7518, section 4.7; JOSE `A128GCMKW`, `A192GCMKW`, `A256GCMKW`).
public enum AESGCMKeyWrap {
    /// A wrapped key, and its parameters for the JOSE header.
    public struct WrappedKey: Hashable, Sendable {
        /// The encrypted key, as long as the key.
        public let encryptedKey: [UInt8]
        /// The header parameter `iv`: 12 bytes.
        public let initializationVector: [UInt8]
        /// The header parameter `tag`: 16 bytes.
        public let tag: [UInt8]

        /// Takes the three parts as received; ``AESGCMKeyWrap/unwrap(_:with:)`` checks their sizes.
        public init(encryptedKey: [UInt8], initializationVector: [UInt8], tag: [UInt8]) {
            self.encryptedKey = encryptedKey
            self.initializationVector = initializationVector
            self.tag = tag
        }
    }

    /// Wraps a key under a fresh initialization vector.
    ///
    /// - Parameters:
    ///   - key: The key to wrap: any number of bytes.
    ///   - keyEncryptionKey: 16, 24 or 32 bytes.
    ///   - source: The source of the initialization vector.
    /// - Throws: ``CryptoError/Code/invalidLength`` for a key encryption key of another length.
    public static func wrap(
        _ key: some ContiguousBytes,
        with keyEncryptionKey: some ContiguousBytes,
        using source: some RandomSource = .system
    ) throws(CryptoError) -> WrappedKey {
        let algorithm = try algorithm(forKeyOf: keyEncryptionKey.byteCount)
        let vector = algorithm.generateNonce(using: source)
        let sealed = try algorithm.seal(key, key: keyEncryptionKey, nonce: vector)
        return WrappedKey(encryptedKey: sealed.ciphertext, initializationVector: vector, tag: sealed.tag)
    }

    /// Unwraps a key and checks its integrity.
    ///
    /// - Throws: ``CryptoError/Code/authenticationFailure`` if the tag is wrong, ``CryptoError/Code/invalidLength`` for
    ///   an initialization vector of other than 12 bytes, a tag of other than 16, or a key encryption key of other than
    ///   16, 24 or 32.
    public static func unwrap(
        _ wrappedKey: WrappedKey,
        with keyEncryptionKey: some ContiguousBytes
    ) throws(CryptoError) -> SecretBytes {
        var key = try algorithm(forKeyOf: keyEncryptionKey.byteCount).open(
            wrappedKey.encryptedKey,
            tag: wrappedKey.tag,
            key: keyEncryptionKey,
            nonce: wrappedKey.initializationVector
        )
        defer { wipe(&key) }
        return SecretBytes(key)
    }

    private static func algorithm(forKeyOf count: Int) throws(CryptoError) -> AEADAlgorithm {
        try CryptoError.requireAESKeyLength(count, for: "AES-GCM Key Wrap")
        return switch count {
        case 16: .aes128GCM
        case 24: .aes192GCM
        default: .aes256GCM
        }
    }
}
