#if !OpenSSL
import CryptoExtras
#endif

extension RSAPublicKey {
    /// The ciphertext of a message that is short enough.
    func encrypt(_ message: UnsafeRawBufferPointer, _ parameters: RSAOAEPParameters) throws(CryptoError) -> [UInt8] {
        #if OpenSSL
        guard let ciphertext = try unsafe evpKey().encrypt(message, parameters) else {
            throw .engineRefused("RSA-OAEP")
        }
        return ciphertext
        #else
        do {
            let key = try _RSA.Encryption.PublicKey(n: modulus, e: exponent)
            return [UInt8](try unsafe key.encrypt(message, padding: parameters.padding))
        } catch {
            throw .engineRefused("RSA-OAEP", error)
        }
        #endif
    }
}
