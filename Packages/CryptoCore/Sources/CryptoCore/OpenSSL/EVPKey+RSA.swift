#if OpenSSL
import CCryptoCoreOpenSSL

extension EVPKey {
    /// An RSA key from n and e, or from n, e, d, p, q, dP, dQ and qInv; nil if libcrypto refuses them.
    convenience init?(rsaNumbers numbers: [SecretBytes]) {
        let sizes = numbers.map(\.count)
        let joined = unsafe SecretBytes(count: sizes.reduce(0, +)) { target in
            var position = 0
            for number in numbers {
                unsafe number.withUnsafeBytes { number in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[position...]).copyMemory(from: number)
                }
                position += number.count
            }
        }
        unsafe self.init {
            unsafe joined.withUnsafeBytes { joined in
                let bytes = unsafe joined.octets
                return unsafe cryptocore_rsa_key(bytes, sizes, sizes.count)
            }
        }
    }

    /// Returns `true` if a signature over a digest verifies under an RSA key.
    func isValidRSA(
        _ signature: UnsafeRawBufferPointer,
        digest: UnsafeRawBufferPointer,
        parameters: RSASignatureParameters
    ) -> Bool {
        let signatureStart = unsafe signature.octets
        let digestStart = unsafe digest.octets
        let answer = unsafe withContext { context -> Int32? in
            guard unsafe EVP_PKEY_verify_init(context) == 1, unsafe Self.set(parameters, in: context) else {
                return nil
            }
            return unsafe EVP_PKEY_verify(context, signatureStart, signature.count, digestStart, digest.count)
        }
        return answer == 1
    }

    /// A signature over a digest by an RSA key.
    func rsaSignature(
        digest: UnsafeRawBufferPointer,
        parameters: RSASignatureParameters
    ) throws(CryptoError) -> [UInt8] {
        let start = unsafe digest.octets
        let signature = unsafe withContext { context -> [UInt8]? in
            guard unsafe EVP_PKEY_sign_init(context) == 1, unsafe Self.set(parameters, in: context) else { return nil }
            return unsafe Self.output { unsafe EVP_PKEY_sign(context, $0, &$1, start, digest.count) }
        }
        guard let signature else { throw CryptoError(.engineFailure, "libcrypto made no RSA signature") }
        return signature
    }

    private static func set(_ parameters: RSASignatureParameters, in context: OpaquePointer) -> Bool {
        let digest = unsafe EVPDigest.of(parameters.hash).pointer
        switch parameters.scheme {
        case .pkcs1:
            return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
                && EVP_PKEY_CTX_set_signature_md(context, digest) == 1
        case .pss(let mgf, let saltLength):
            return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_signature_md(context, digest) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, Int32(saltLength)) == 1
                && EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVPDigest.of(mgf).pointer) == 1
        }
    }
}
#endif
