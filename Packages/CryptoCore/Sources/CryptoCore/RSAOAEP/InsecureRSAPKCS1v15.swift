#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// RSA decryption with the padding of PKCS #1 version 1.5 (RFC 8017, section 7.2; JOSE `RSA1_5`), for old messages only.
///
/// An attacker who can tell a wrong padding from a right one can decrypt with it (Bleichenbacher). A wrong padding is
/// therefore never reported: random bytes take the place of the key, in the same time, and the message then fails to
/// authenticate as under any other wrong key (RFC 7516, section 11.5). There is no encryption here. Needs the trait
/// `OpenSSL`.
public enum InsecureRSAPKCS1v15 {
    /// Decrypts a key whose length is known, or makes one up.
    ///
    /// - Parameters:
    ///   - encryptedKey: The ciphertext. A length that does not fit the modulus is a wrong padding too.
    ///   - privateKey: An RSA key.
    ///   - length: The length of the key in bytes, known from the algorithm that it is for.
    ///   - source: The source of the random bytes, which are drawn in every case.
    /// - Returns: The key, or as many random bytes. Nothing tells which.
    /// - Throws: Independent of the ciphertext: ``CryptoError/Code/keyMismatch`` for a key of another type,
    ///   ``CryptoError/Code/invalidParameter`` for a length that the modulus cannot hold,
    ///   ``CryptoError/Code/unsupported`` in a build without the trait.
    public static func decryptKey(
        _ encryptedKey: some ContiguousBytes,
        with privateKey: PrivateKey,
        length: Int,
        using source: some RandomSource = .system
    ) throws(CryptoError) -> SecretBytes {
        guard case .rsa(let key) = privateKey.engine, let size = privateKey.publicKey.rsaKey?.size else {
            throw CryptoError(.keyMismatch, "RSA1_5 takes an RSA key, not \(privateKey)")
        }
        guard length >= 0, length <= size - 11 else {
            throw CryptoError(.invalidParameter, "a modulus of \(size) bytes holds no key of \(length)")
        }
        let substitute = SecretBytes.random(count: length, using: source)
        #if OpenSSL
        let decrypted: [UInt8]? = unsafe encryptedKey.withUnsafeBytes { encryptedKey in
            encryptedKey.count == size ? unsafe key.evpKey.decryptWithoutPadding(encryptedKey) : nil
        }
        guard var encoded = decrypted, encoded.count == size else { return substitute }
        defer { wipe(&encoded) }
        return select(from: encoded, else: substitute)
        #else
        throw .needsOpenSSL("RSA1_5")
        #endif
    }

    #if OpenSSL
    /// The end of an encoded message if its padding is right, else the substitute, without a branch on either.
    ///
    /// The padding is 00 02, at least eight bytes that are not zero, and 00. Where the key begins is known.
    private static func select(from encoded: [UInt8], else substitute: SecretBytes) -> SecretBytes {
        let separator = encoded.count - substitute.count - 1
        var fault = encoded[0] | (encoded[1] ^ 2) | encoded[separator]
        for byte in encoded[2..<separator] { fault |= isZero(byte) }
        // All ones where there is no fault, else zero.
        let mask = 0 &- isZero(fault)
        return unsafe SecretBytes(count: substitute.count) { key in
            unsafe substitute.withUnsafeBytes { substitute in
                for index in key.indices {
                    let decrypted = encoded[separator + 1 + index]
                    unsafe key[index] = (decrypted & mask) | (substitute[index] & ~mask)
                }
            }
        }
    }

    /// 1 for zero, 0 for anything else, without a branch.
    private static func isZero(_ byte: UInt8) -> UInt8 {
        UInt8(truncatingIfNeeded: (UInt32(byte) &- 1) >> 31)
    }
    #endif
}
