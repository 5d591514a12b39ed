import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// AES-CBC with HMAC, encrypt-then-MAC (RFC 7518, section 5.2.2).
enum AESCBCHMAC {
    static func seal(
        _ plaintext: UnsafeRawBufferPointer,
        _ parameters: AEADParameters,
        _ additionalData: UnsafeRawBufferPointer,
        hash: HashAlgorithm
    ) throws(CryptoError) -> [UInt8] {
        let keys = Keys(parameters.key)
        var sealed = try unsafe AESCBC.encrypt(plaintext, key: keys.encryption, vector: parameters.nonce)
        sealed += unsafe sealed.withUnsafeBytes { ciphertext in
            unsafe tag(of: ciphertext, keys, parameters, additionalData, hash)
        }
        return sealed
    }

    static func open(
        _ ciphertext: UnsafeRawBufferPointer,
        _ tag: UnsafeRawBufferPointer,
        _ parameters: AEADParameters,
        _ additionalData: UnsafeRawBufferPointer,
        hash: HashAlgorithm
    ) throws(CryptoError) -> [UInt8] {
        let keys = Keys(parameters.key)
        let expected = unsafe Self.tag(of: ciphertext, keys, parameters, additionalData, hash)
        guard unsafe constantTimeEqual(tag, expected) else { throw parameters.notAuthentic }
        do {
            return try unsafe AESCBC.decrypt(ciphertext, key: keys.encryption, vector: parameters.nonce)
        } catch {
            throw parameters.notAuthentic
        }
    }

    /// The left half of the HMAC over additional data, vector, ciphertext and the additional data's length in bits.
    private static func tag(
        of ciphertext: UnsafeRawBufferPointer,
        _ keys: Keys,
        _ parameters: AEADParameters,
        _ additionalData: UnsafeRawBufferPointer,
        _ hash: HashAlgorithm
    ) -> [UInt8] {
        var code = HMAC(key: keys.authentication, hash: hash)
        unsafe code.update(additionalData)
        code.update(parameters.nonce)
        unsafe code.update(ciphertext)
        code.update((UInt64(additionalData.count) << 3).bigEndianBytes)
        return [UInt8](code.finalize().prefix(parameters.algorithm.tagSize))
    }

    /// The two halves of the key: the MAC key is the first.
    private struct Keys {
        let authentication: SymmetricKey
        let encryption: SymmetricKey

        init(_ key: SymmetricKey) {
            (authentication, encryption) = unsafe key.withUnsafeBytes { key in
                let half = key.count / 2
                return unsafe (
                    SymmetricKey(data: UnsafeRawBufferPointer(rebasing: key.prefix(half))),
                    SymmetricKey(data: UnsafeRawBufferPointer(rebasing: key.dropFirst(half)))
                )
            }
        }
    }
}
