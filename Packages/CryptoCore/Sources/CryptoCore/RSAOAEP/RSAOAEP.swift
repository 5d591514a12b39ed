import CryptoExtras

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// RSA encryption with OAEP padding (RFC 8017, section 7.1; JOSE `RSA-OAEP`, `RSA-OAEP-256`, …; COSE −40, −41, −42).
///
/// The mask generation function is MGF1 with the same hash function, as in JOSE and COSE. Labels, and hash functions other
/// than SHA-1 and SHA-256, need the trait `OpenSSL`.
public enum RSAOAEP {
    /// Encrypts a short message, usually a key.
    ///
    /// - Parameters:
    ///   - message: At most ``maximumMessageSize(for:hash:)`` bytes.
    ///   - publicKey: An RSA key.
    ///   - hash: The hash function; SHA-1 is no weakness here.
    ///   - label: The label that the ciphertext is bound to; empty in JOSE and COSE.
    /// - Returns: A ciphertext as long as the modulus.
    /// - Throws: ``CryptoError/Code/keyMismatch`` for a key of another type, ``CryptoError/Code/invalidLength`` for a
    ///   message that is too long, ``CryptoError/Code/unsupported`` if this build has no engine for hash or label.
    public static func encrypt(
        _ message: some ContiguousBytes,
        to publicKey: PublicKey,
        hash: HashAlgorithm,
        label: some ContiguousBytes = [UInt8]()
    ) throws(CryptoError) -> [UInt8] {
        guard let key = publicKey.rsaKey else { throw notRSA(publicKey.description) }
        let parameters = try RSAOAEPParameters(hash: hash, label: label.copied())
        return try unsafe message.lend { message throws(CryptoError) in
            guard let maximum = maximumMessageSize(for: publicKey, hash: hash), message.count <= maximum else {
                throw CryptoError(.invalidLength, "a message of \(message.count) bytes is too long for \(publicKey)")
            }
            return try unsafe key.encrypt(message, parameters)
        }
    }

    /// Decrypts a message.
    ///
    /// - Parameters:
    ///   - ciphertext: As long as the modulus.
    ///   - privateKey: An RSA key.
    ///   - hash: The hash function.
    ///   - label: The label that the ciphertext is bound to; empty in JOSE and COSE.
    /// - Throws: ``CryptoError/Code/authenticationFailure`` whenever decryption fails, whatever the reason;
    ///   ``CryptoError/Code/invalidLength`` for a ciphertext of another length; ``CryptoError/Code/keyMismatch`` for a
    ///   key of another type; ``CryptoError/Code/unsupported`` if this build has no engine for hash or label.
    public static func decrypt(
        _ ciphertext: some ContiguousBytes,
        with privateKey: PrivateKey,
        hash: HashAlgorithm,
        label: some ContiguousBytes = [UInt8]()
    ) throws(CryptoError) -> SecretBytes {
        guard case .rsa(let key) = privateKey.engine, let size = privateKey.publicKey.rsaKey?.size else {
            throw notRSA(privateKey.description)
        }
        let parameters = try RSAOAEPParameters(hash: hash, label: label.copied())
        return try unsafe ciphertext.lend { ciphertext throws(CryptoError) in
            try CryptoError.requireLength(ciphertext.count, of: "ciphertext", for: "RSA-OAEP", equals: size)
            return try unsafe key.decrypt(ciphertext, parameters)
        }
    }

    /// The size in bytes of the longest message, or nil for a key of another type or one too short for the hash function.
    public static func maximumMessageSize(for publicKey: PublicKey, hash: HashAlgorithm) -> Int? {
        guard let key = publicKey.rsaKey, key.size >= 2 * hash.digestSize + 2 else { return nil }
        return key.size - 2 * hash.digestSize - 2
    }

    private static func notRSA(_ key: String) -> CryptoError {
        CryptoError(.keyMismatch, "RSA-OAEP takes an RSA key, not \(key)")
    }
}

/// The parameters of RSA-OAEP, once a build is known to have an engine for it.
struct RSAOAEPParameters {
    let hash: HashAlgorithm
    let label: [UInt8]

    #if OpenSSL
    init(hash: HashAlgorithm, label: [UInt8]) throws(CryptoError) {
        guard Int32(exactly: label.count) != nil else {
            throw CryptoError(.invalidLength, "RSA-OAEP takes no label of \(label.count) bytes")
        }
        (self.hash, self.label) = (hash, label)
    }
    #else
    /// swift-crypto's name for the parameters.
    let padding: _RSA.Encryption.Padding

    init(hash: HashAlgorithm, label: [UInt8]) throws(CryptoError) {
        guard label.isEmpty, hash == .sha1 || hash == .sha256 else {
            throw .needsOpenSSL("RSA-OAEP with \(hash)\(label.isEmpty ? "" : " and a label")")
        }
        (self.hash, self.label) = (hash, label)
        padding = hash == .sha1 ? .PKCS1_OAEP : .PKCS1_OAEP_SHA256
    }
    #endif
}
