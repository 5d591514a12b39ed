import Crypto
import CryptoExtras

/// An RSA private key with the form that its engine has for it: libcrypto where it is in the build, since it signs more
/// than twice as fast there, else swift-crypto.
final class RSAPrivateKey: Sendable {
    let components: RSAPrivateComponents

    #if OpenSSL
    /// libcrypto's form of the key.
    let evpKey: EVPKey
    #else
    private let signingKey: _RSA.Signing.PrivateKey
    #endif

    /// Checks that the numbers belong to each other and builds the engine's form.
    init(_ components: RSAPrivateComponents, options: KeyImportOptions) throws(CryptoError) {
        self.components = components
        let checked = try Self.checked(components, options: options)
        #if OpenSSL
        _ = checked
        guard let key = EVPKey(rsaNumbers: components.numbers) else {
            throw CryptoError(.invalidRSAKey, "libcrypto refuses the RSA key")
        }
        evpKey = key
        #else
        signingKey = checked
        #endif
    }

    /// swift-crypto's form, which is only made of numbers that fit: n = p·q, e·d ≡ 1, dP, dQ and qInv as defined.
    private static func checked(
        _ components: RSAPrivateComponents,
        options: KeyImportOptions
    ) throws(CryptoError) -> _RSA.Signing.PrivateKey {
        do {
            return try unsafe components.pkcs1.withUnsafeBytes { der in
                options.contains(.insecureShortRSA)
                    ? try unsafe _RSA.Signing.PrivateKey(unsafeDERRepresentation: der)
                    : try unsafe _RSA.Signing.PrivateKey(derRepresentation: der)
            }
        } catch {
            throw CryptoError(.invalidRSAKey, "the numbers of the RSA key do not belong together", cause: error)
        }
    }

    /// A signature over a message.
    func signature(
        message: UnsafeRawBufferPointer,
        parameters: RSASignatureParameters
    ) throws(CryptoError) -> [UInt8] {
        #if OpenSSL
        let result = unsafe parameters.hash.withDigest(of: message) { digest in
            Result { () throws(CryptoError) in try unsafe signature(digest: digest, parameters: parameters) }
        }
        return try result.get()
        #else
        guard let padding = parameters.swiftCryptoPadding else {
            throw CryptoError(.unsupported, "this build has no engine for such a PSS salt; the trait OpenSSL adds it")
        }
        return try unsafe signingKey.signature(message: message, hash: parameters.hash, padding: padding)
        #endif
    }

    /// A signature over a digest.
    func signature(
        digest: UnsafeRawBufferPointer,
        parameters: RSASignatureParameters
    ) throws(CryptoError) -> [UInt8] {
        #if OpenSSL
        return try unsafe evpKey.rsaSignature(digest: digest, parameters: parameters)
        #else
        throw CryptoError(.unsupported, "this build has no engine for RSA over digests; the trait OpenSSL adds it")
        #endif
    }
}

#if !OpenSSL
extension _RSA.Signing.PrivateKey {
    fileprivate func signature(
        message: UnsafeRawBufferPointer,
        hash: HashAlgorithm,
        padding: _RSA.Signing.Padding
    ) throws(CryptoError) -> [UInt8] {
        do {
            switch hash.kind {
            case .sha1: return try unsafe signature(message, Insecure.SHA1.self, padding)
            case .sha256: return try unsafe signature(message, SHA256.self, padding)
            case .sha384: return try unsafe signature(message, SHA384.self, padding)
            case .sha512: return try unsafe signature(message, SHA512.self, padding)
            }
        } catch {
            throw CryptoError(.engineFailure, "the engine made no RSA signature", cause: error)
        }
    }

    private func signature<Function: HashFunction>(
        _ message: UnsafeRawBufferPointer,
        _ function: Function.Type,
        _ padding: _RSA.Signing.Padding
    ) throws -> [UInt8] {
        var state = Function()
        unsafe state.update(bufferPointer: message)
        return [UInt8](try signature(for: state.finalize(), padding: padding).rawRepresentation)
    }
}
#endif
