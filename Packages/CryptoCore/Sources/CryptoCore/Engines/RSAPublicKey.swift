import Crypto
import CryptoExtras
import Synchronization

/// An RSA public key with the forms that the engines have for it.
///
/// swift-crypto verifies: it is as fast and its keys cost little to make. The rest goes to libcrypto: a salt of another
/// length than the digest's, a digest computed elsewhere, a modulus above 8192 bits.
final class RSAPublicKey: Sendable {
    /// n, big-endian without leading zeros.
    let modulus: [UInt8]

    /// e, big-endian without leading zeros.
    let exponent: [UInt8]

    private let verifyingKey: _RSA.Signing.PublicKey?

    #if OpenSSL
    private let libcryptoKey = Mutex<EVPKey?>(nil)
    #endif

    init(
        modulus: ArraySlice<UInt8>,
        exponent: ArraySlice<UInt8>,
        options: KeyImportOptions
    ) throws(CryptoError) {
        self.modulus = RSANumbers.minimal(modulus)
        self.exponent = RSANumbers.minimal(exponent)
        try RSANumbers.check(modulus: self.modulus, exponent: self.exponent, options: options)
        verifyingKey = Self.verifyingKey(self.modulus, self.exponent)
        #if !OpenSSL
        guard verifyingKey != nil else {
            throw CryptoError(.unsupported, "this build has no engine for so large an RSA modulus or exponent")
        }
        #endif
    }

    private static func verifyingKey(_ modulus: [UInt8], _ exponent: [UInt8]) -> _RSA.Signing.PublicKey? {
        guard RSANumbers.bits(modulus) < 2048 else { return try? _RSA.Signing.PublicKey(n: modulus, e: exponent) }
        return try? _RSA.Signing.PublicKey(unsafeDERRepresentation: pkcs1(modulus, exponent))
    }

    /// The size of the modulus, and of every signature, in bytes.
    var size: Int { modulus.count }

    /// `RSAPublicKey` of PKCS #1 in DER (RFC 8017, A.1.1).
    var pkcs1: [UInt8] { Self.pkcs1(modulus, exponent) }

    private static func pkcs1(_ modulus: [UInt8], _ exponent: [UInt8]) -> [UInt8] {
        DERValue.sequence([.unsignedInteger(modulus), .unsignedInteger(exponent)]).encoded
    }

    /// Returns `true` if a signature over a message verifies.
    func isValid(
        _ signature: UnsafeRawBufferPointer,
        message: UnsafeRawBufferPointer,
        parameters: RSASignatureParameters
    ) -> Bool {
        guard signature.count == size else { return false }
        if let padding = parameters.swiftCryptoPadding, let verifyingKey {
            return unsafe verifyingKey.isValid(signature, message: message, hash: parameters.hash, padding: padding)
        }
        return unsafe parameters.hash.withDigest(of: message) { digest in
            unsafe isValid(signature, digest: digest, parameters: parameters)
        }
    }

    /// Returns `true` for a valid signature over a digest; always `false` without libcrypto.
    func isValid(
        _ signature: UnsafeRawBufferPointer,
        digest: UnsafeRawBufferPointer,
        parameters: RSASignatureParameters
    ) -> Bool {
        #if OpenSSL
        guard signature.count == size, let key = try? evpKey() else { return false }
        return unsafe key.isValidRSA(signature, digest: digest, parameters: parameters)
        #else
        return false
        #endif
    }

    /// Returns `true` if an engine of this build can verify with these parameters.
    func supports(_ parameters: RSASignatureParameters) -> Bool {
        #if OpenSSL
        true
        #else
        parameters.swiftCryptoPadding != nil
        #endif
    }

    #if OpenSSL
    /// libcrypto's form of the key, made when it is first needed.
    func evpKey() throws(CryptoError) -> EVPKey {
        let key = libcryptoKey.withLock { key in
            key = key ?? EVPKey(rsaNumbers: [modulus, exponent].map { SecretBytes($0) })
            return key
        }
        guard let key else { throw CryptoError(.invalidRSAKey, "libcrypto refuses the RSA key") }
        return key
    }
    #endif
}

extension _RSA.Signing.PublicKey {
    fileprivate func isValid(
        _ signature: UnsafeRawBufferPointer,
        message: UnsafeRawBufferPointer,
        hash: HashAlgorithm,
        padding: _RSA.Signing.Padding
    ) -> Bool {
        switch hash.kind {
        case .sha1: unsafe isValid(signature, message, Insecure.SHA1.self, padding)
        case .sha256: unsafe isValid(signature, message, SHA256.self, padding)
        case .sha384: unsafe isValid(signature, message, SHA384.self, padding)
        case .sha512: unsafe isValid(signature, message, SHA512.self, padding)
        }
    }

    private func isValid<Function: HashFunction>(
        _ signature: UnsafeRawBufferPointer,
        _ message: UnsafeRawBufferPointer,
        _ function: Function.Type,
        _ padding: _RSA.Signing.Padding
    ) -> Bool {
        var state = Function()
        unsafe state.update(bufferPointer: message)
        let signature = unsafe _RSA.Signing.RSASignature(rawRepresentation: signature)
        return isValidSignature(signature, for: state.finalize(), padding: padding)
    }
}
