import Crypto

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Key derivation with HMAC, extract and expand (RFC 5869).
public enum HKDF {
    /// Derives a key: ``extract(hash:inputKeyMaterial:salt:)``, then ``expand(hash:pseudorandomKey:info:length:)``.
    ///
    /// - Parameters:
    ///   - hash: The hash function.
    ///   - inputKeyMaterial: The secret to derive from, such as the result of a key agreement.
    ///   - salt: Not secret, random where possible; empty stands for as many zeros as the digest is long.
    ///   - info: The purpose of the key.
    ///   - length: The length of the key in bytes: 1 to 255 times the digest's.
    /// - Throws: ``CryptoError/Code/invalidParameter`` for any other length.
    public static func deriveKey(
        hash: HashAlgorithm,
        inputKeyMaterial: some ContiguousBytes,
        salt: some ContiguousBytes = [UInt8](),
        info: some ContiguousBytes = [UInt8](),
        length: Int
    ) throws(CryptoError) -> SecretBytes {
        let key = extract(hash: hash, inputKeyMaterial: inputKeyMaterial, salt: salt)
        return try expand(hash: hash, pseudorandomKey: key, info: info, length: length)
    }

    /// Concentrates a secret into a pseudorandom key as long as the digest (section 2.2).
    public static func extract(
        hash: HashAlgorithm,
        inputKeyMaterial: some ContiguousBytes,
        salt: some ContiguousBytes = [UInt8]()
    ) -> SecretBytes {
        var code = HMAC(key: salt, hash: hash)
        code.update(inputKeyMaterial)
        return code.finalizeToSecret()
    }

    /// Expands a pseudorandom key into one of the length wanted (section 2.3).
    ///
    /// - Parameters:
    ///   - hash: The hash function.
    ///   - pseudorandomKey: The result of ``extract(hash:inputKeyMaterial:salt:)``, or another uniformly random secret as
    ///     long as the digest at least.
    ///   - info: The purpose of the key.
    ///   - length: The length of the key in bytes: 1 to 255 times the digest's.
    /// - Throws: ``CryptoError/Code/invalidParameter`` for any other length.
    public static func expand(
        hash: HashAlgorithm,
        pseudorandomKey: some ContiguousBytes,
        info: some ContiguousBytes = [UInt8](),
        length: Int
    ) throws(CryptoError) -> SecretBytes {
        guard (1...255 * hash.digestSize).contains(length) else {
            throw CryptoError(.invalidParameter, "HKDF with \(hash) gives no key of \(length) bytes")
        }
        return unsafe info.withUnsafeBytes { info in
            switch hash.kind {
            case .sha1: unsafe expand(Insecure.SHA1.self, pseudorandomKey, info, length)
            case .sha256: unsafe expand(SHA256.self, pseudorandomKey, info, length)
            case .sha384: unsafe expand(SHA384.self, pseudorandomKey, info, length)
            case .sha512: unsafe expand(SHA512.self, pseudorandomKey, info, length)
            }
        }
    }

    private static func expand<Function: HashFunction>(
        _ function: Function.Type,
        _ pseudorandomKey: some ContiguousBytes,
        _ info: UnsafeRawBufferPointer,
        _ length: Int
    ) -> SecretBytes {
        SecretBytes(
            unsafe Crypto.HKDF<Function>.expand(pseudoRandomKey: pseudorandomKey, info: info, outputByteCount: length)
        )
    }
}
