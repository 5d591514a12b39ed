#if OpenSSL
extension RSAPrivateKey {
    /// The message of a ciphertext as long as the modulus.
    func decrypt(
        _ ciphertext: UnsafeRawBufferPointer,
        _ parameters: RSAOAEPParameters
    ) throws(CryptoError) -> SecretBytes {
        guard var message = unsafe evpKey.decrypt(ciphertext, parameters) else { throw .notAuthentic("RSA-OAEP") }
        defer { wipe(&message) }
        return SecretBytes(message)
    }
}
#else
import CryptoExtras
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RSAPrivateKey {
    /// The message of a ciphertext as long as the modulus.
    func decrypt(
        _ ciphertext: UnsafeRawBufferPointer,
        _ parameters: RSAOAEPParameters
    ) throws(CryptoError) -> SecretBytes {
        guard let key = encryptionKey else { throw .engineRefused("RSA-OAEP") }
        guard var message = try? unsafe key.decrypt(ciphertext, padding: parameters.padding) else {
            throw .notAuthentic("RSA-OAEP")
        }
        defer { message.resetBytes(in: message.indices) }
        return SecretBytes(message)
    }

    private var encryptionKey: _RSA.Encryption.PrivateKey? {
        unsafe components.pkcs1.withUnsafeBytes { der in
            try? unsafe _RSA.Encryption.PrivateKey(unsafeDERRepresentation: der)
        }
    }
}
#endif
