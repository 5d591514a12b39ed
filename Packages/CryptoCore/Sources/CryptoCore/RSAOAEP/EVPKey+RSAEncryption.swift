#if OpenSSL
import CCryptoCoreOpenSSL

extension EVPKey {
    /// The ciphertext of a message under RSA-OAEP; nil if libcrypto refuses.
    func encrypt(_ message: UnsafeRawBufferPointer, _ parameters: RSAOAEPParameters) -> [UInt8]? {
        unsafe withContext { context in
            guard unsafe EVP_PKEY_encrypt_init(context) == 1, unsafe Self.set(parameters, in: context) else {
                return nil
            }
            // An empty message may have no address, which libcrypto refuses.
            var empty: UInt8 = 0
            return unsafe withUnsafePointer(to: &empty) { empty in
                let start = unsafe message.octets ?? empty
                return unsafe Self.output { unsafe EVP_PKEY_encrypt(context, $0, &$1, start, message.count) }
            }
        }
    }

    /// The message of a ciphertext under RSA-OAEP; nil if decryption fails.
    func decrypt(_ ciphertext: UnsafeRawBufferPointer, _ parameters: RSAOAEPParameters) -> [UInt8]? {
        let start = unsafe ciphertext.octets
        return unsafe withContext { context in
            guard unsafe EVP_PKEY_decrypt_init(context) == 1, unsafe Self.set(parameters, in: context) else {
                return nil
            }
            return unsafe Self.output { unsafe EVP_PKEY_decrypt(context, $0, &$1, start, ciphertext.count) }
        }
    }

    /// The number that RSA's private operation gives for a ciphertext, with its padding; nil if libcrypto refuses.
    func decryptWithoutPadding(_ ciphertext: UnsafeRawBufferPointer) -> [UInt8]? {
        let start = unsafe ciphertext.octets
        return unsafe withContext { context in
            guard unsafe EVP_PKEY_decrypt_init(context) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) == 1
            else { return nil }
            return unsafe Self.output { unsafe EVP_PKEY_decrypt(context, $0, &$1, start, ciphertext.count) }
        }
    }

    private static func set(_ parameters: RSAOAEPParameters, in context: OpaquePointer) -> Bool {
        let digest = unsafe EVPDigest.of(parameters.hash).pointer
        return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_oaep_md(context, digest) == 1
            && EVP_PKEY_CTX_set_rsa_mgf1_md(context, digest) == 1
            && cryptocore_set_oaep_label(context, parameters.label, Int32(clamping: parameters.label.count)) == 1
    }
}
#endif
