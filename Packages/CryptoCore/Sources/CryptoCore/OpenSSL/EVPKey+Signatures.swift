#if OpenSSL
import CCryptoCoreOpenSSL

extension EVPKey {
    /// Returns `true` if a DER signature over a digest verifies under a key on a Weierstrass curve.
    func isValidECDSA(_ signature: [UInt8], digest: UnsafeRawBufferPointer) -> Bool {
        let start = unsafe digest.octets
        let answer = unsafe withContext { context -> Int32? in
            guard unsafe EVP_PKEY_verify_init(context) == 1 else { return nil }
            return unsafe EVP_PKEY_verify(context, signature, signature.count, start, digest.count)
        }
        return answer == 1
    }

    /// A DER signature over a digest by a key on a Weierstrass curve.
    func ecdsaSignature(digest: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
        let start = unsafe digest.octets
        let signature = unsafe withContext { context -> [UInt8]? in
            guard unsafe EVP_PKEY_sign_init(context) == 1 else { return nil }
            return unsafe Self.output { unsafe EVP_PKEY_sign(context, $0, &$1, start, digest.count) }
        }
        guard let signature else { throw CryptoError(.engineFailure, "libcrypto made no ECDSA signature") }
        return signature
    }

    /// Returns `true` if a signature over a message verifies under a key on Ed448.
    func isValidEdDSA(_ signature: UnsafeRawBufferPointer, message: UnsafeRawBufferPointer) -> Bool {
        let signatureStart = unsafe signature.octets
        let messageStart = unsafe message.octets
        let answer = unsafe withDigestContext { context -> Int32? in
            guard unsafe EVP_DigestVerifyInit_ex(context, nil, nil, nil, nil, pointer, nil) == 1 else { return nil }
            return unsafe EVP_DigestVerify(context, signatureStart, signature.count, messageStart, message.count)
        }
        return answer == 1
    }

    /// A signature over a message by a key on Ed448.
    func edDSASignature(message: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
        let start = unsafe message.octets
        let signature = unsafe withDigestContext { context -> [UInt8]? in
            guard unsafe EVP_DigestSignInit_ex(context, nil, nil, nil, nil, pointer, nil) == 1 else { return nil }
            return unsafe Self.output { unsafe EVP_DigestSign(context, $0, &$1, start, message.count) }
        }
        guard let signature else { throw CryptoError(.engineFailure, "libcrypto made no EdDSA signature") }
        return signature
    }

    private func withDigestContext<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
        withOwnErrorQueue {
            guard let context = unsafe EVP_MD_CTX_new() else { return nil }
            defer { unsafe EVP_MD_CTX_free(context) }
            return unsafe body(context)
        }
    }

    /// Asks a function of libcrypto for its output's size, then for the output, which may turn out shorter.
    static func output(_ call: (UnsafeMutablePointer<UInt8>?, inout Int) -> Int32) -> [UInt8]? {
        var count = 0
        guard call(nil, &count) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let answer = unsafe bytes.withUnsafeMutableBufferPointer { unsafe call($0.baseAddress, &count) }
        guard answer == 1, count <= bytes.count else { return nil }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
#endif
