#if OpenSSL
import CCryptoCoreOpenSSL
import Crypto
#endif
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// AES Key Wrap with Padding (RFC 5649), for keys whose length is not a multiple of 8 bytes; needs the trait `OpenSSL`.
public enum AESKeyWrapWithPadding {
    private static let name = "AES Key Wrap with Padding"

    /// Wraps a key.
    ///
    /// - Parameters:
    ///   - key: The key to wrap: 1 to 2³¹ − 17 bytes.
    ///   - keyEncryptionKey: 16, 24 or 32 bytes.
    /// - Returns: The wrapped key: the key's length rounded up to a multiple of 8, and 8 more.
    /// - Throws: ``CryptoError/Code/invalidLength`` for any other length, ``CryptoError/Code/unsupported`` in a build
    ///   without the trait.
    public static func wrap(
        _ key: some ContiguousBytes,
        with keyEncryptionKey: some ContiguousBytes
    ) throws(CryptoError) -> [UInt8] {
        try CryptoError.requireAESKeyLength(keyEncryptionKey.byteCount, for: name)
        let count = key.byteCount
        guard count >= 1, count <= Int32.max - 16 else {
            throw CryptoError(.invalidLength, "\(name) takes 1 to 2^31 - 17 bytes, not \(count)")
        }
        return try run(.encrypt, key, with: keyEncryptionKey, outputCapacity: count + 16, failure: .engineRefused(name))
    }

    /// Unwraps a key and checks its integrity, its length and its padding.
    ///
    /// - Parameters:
    ///   - wrappedKey: At least 16 bytes, a multiple of 8.
    ///   - keyEncryptionKey: 16, 24 or 32 bytes.
    /// - Throws: ``CryptoError/Code/authenticationFailure`` if a check fails, ``CryptoError/Code/invalidLength`` for
    ///   any other length, ``CryptoError/Code/unsupported`` in a build without the trait.
    public static func unwrap(
        _ wrappedKey: some ContiguousBytes,
        with keyEncryptionKey: some ContiguousBytes
    ) throws(CryptoError) -> SecretBytes {
        try CryptoError.requireAESKeyLength(keyEncryptionKey.byteCount, for: name)
        let count = wrappedKey.byteCount
        guard count >= 16, count.isMultiple(of: 8), count <= Int32.max else {
            throw CryptoError(.invalidLength, "\(name) gives 16 bytes or more in multiples of 8, not \(count)")
        }
        var key = try run(
            .decrypt,
            wrappedKey,
            with: keyEncryptionKey,
            outputCapacity: count,
            failure: .notAuthentic(name)
        )
        defer { wipe(&key) }
        return SecretBytes(key)
    }

    #if OpenSSL
    private static func run(
        _ direction: EVPCipherContext.Direction,
        _ input: some ContiguousBytes,
        with keyEncryptionKey: some ContiguousBytes,
        outputCapacity: Int,
        failure: CryptoError
    ) throws(CryptoError) -> [UInt8] {
        let key = SymmetricKey(data: keyEncryptionKey)
        let context = try EVPCipherContext(cipher(forKeyOf: keyEncryptionKey.byteCount), direction)
        guard context.start(key: key) else { throw .engineRefused(name) }
        return try unsafe input.lend { input throws(CryptoError) in
            var output = [UInt8](repeating: 0, count: outputCapacity)
            guard let written = unsafe output.withUnsafeMutableBytes({ unsafe context.update(input, into: $0) }) else {
                throw failure
            }
            output.removeLast(output.count - written)
            return output
        }
    }

    private static func cipher(forKeyOf count: Int) throws(CryptoError) -> EVPCipher {
        let cipher: EVPCipher? =
            switch count {
            case 16: .aes128WrapWithPadding
            case 24: .aes192WrapWithPadding
            default: .aes256WrapWithPadding
            }
        guard let cipher else { throw CryptoError(.unsupported, "libcrypto has no \(name)") }
        return cipher
    }
    #else
    private enum Direction {
        case decrypt
        case encrypt
    }

    private static func run(
        _ direction: Direction,
        _ input: some ContiguousBytes,
        with keyEncryptionKey: some ContiguousBytes,
        outputCapacity: Int,
        failure: CryptoError
    ) throws(CryptoError) -> [UInt8] {
        throw .needsOpenSSL(name)
    }
    #endif
}
