import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// AES in CBC mode with PKCS #7 padding (NIST SP 800-38A, section 6.2; RFC 5652, section 6.3), by swift-crypto.
///
/// Not public: without authentication, an attacker who learns that a padding was refused can decrypt.
package enum AESCBC {
    /// Pads and encrypts.
    package static func encrypt(
        _ plaintext: some DataProtocol,
        key: some ContiguousBytes,
        vector: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        do {
            let vector = try AES._CBC.IV(ivBytes: vector)
            return [UInt8](try AES._CBC.encrypt(plaintext, using: SymmetricKey(data: key), iv: vector))
        } catch {
            throw .engineRefused("AES-CBC", error)
        }
    }

    /// Decrypts, and checks and takes off the padding.
    package static func decrypt(
        _ ciphertext: some DataProtocol,
        key: some ContiguousBytes,
        vector: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        do {
            let vector = try AES._CBC.IV(ivBytes: vector)
            return [UInt8](try AES._CBC.decrypt(ciphertext, using: SymmetricKey(data: key), iv: vector))
        } catch {
            throw .notAuthentic("AES-CBC")
        }
    }
}
