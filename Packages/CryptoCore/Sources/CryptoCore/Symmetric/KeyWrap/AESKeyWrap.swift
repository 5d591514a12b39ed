import Crypto

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// AES Key Wrap (RFC 3394; JOSE `A128KW`, `A192KW`, `A256KW`; COSE −3, −4, −5).
public enum AESKeyWrap {
    /// Wraps a key.
    ///
    /// - Parameters:
    ///   - key: The key to wrap: at least 16 bytes, a multiple of 8.
    ///   - keyEncryptionKey: 16, 24 or 32 bytes.
    /// - Returns: The wrapped key, 8 bytes longer than the key.
    /// - Throws: ``CryptoError/Code/invalidLength`` for any other length.
    public static func wrap(
        _ key: some ContiguousBytes,
        with keyEncryptionKey: some ContiguousBytes
    ) throws(CryptoError) -> [UInt8] {
        try CryptoError.requireAESKeyLength(keyEncryptionKey.byteCount, for: "AES Key Wrap")
        let count = key.byteCount
        guard count >= 16, count.isMultiple(of: 8) else {
            throw CryptoError(.invalidLength, "AES Key Wrap takes 16 bytes or more in multiples of 8, not \(count)")
        }
        do {
            return [UInt8](try AES.KeyWrap.wrap(SymmetricKey(data: key), using: SymmetricKey(data: keyEncryptionKey)))
        } catch {
            throw .engineRefused("AES Key Wrap", error)
        }
    }

    /// Unwraps a key and checks its integrity.
    ///
    /// - Parameters:
    ///   - wrappedKey: At least 24 bytes, a multiple of 8.
    ///   - keyEncryptionKey: 16, 24 or 32 bytes.
    /// - Throws: ``CryptoError/Code/authenticationFailure`` if the integrity check fails,
    ///   ``CryptoError/Code/invalidLength`` for any other length.
    public static func unwrap(
        _ wrappedKey: some ContiguousBytes,
        with keyEncryptionKey: some ContiguousBytes
    ) throws(CryptoError) -> SecretBytes {
        try CryptoError.requireAESKeyLength(keyEncryptionKey.byteCount, for: "AES Key Wrap")
        let wrapped = wrappedKey.copied()
        guard wrapped.count >= 24, wrapped.count.isMultiple(of: 8) else {
            throw CryptoError(
                .invalidLength,
                "AES Key Wrap gives 24 bytes or more in multiples of 8, not \(wrapped.count)"
            )
        }
        do {
            return SecretBytes(try AES.KeyWrap.unwrap(wrapped, using: SymmetricKey(data: keyEncryptionKey)))
        } catch {
            throw .notAuthentic("AES Key Wrap")
        }
    }
}
