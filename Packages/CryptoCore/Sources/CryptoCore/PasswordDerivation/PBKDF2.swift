#if OpenSSL
import CCryptoCoreOpenSSL
#else
import Crypto
import CryptoExtras
#endif

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Password-based key derivation with HMAC (RFC 8018, section 5.2).
public enum PBKDF2 {
    /// The default for the largest number of iterations of
    /// ``deriveKey(hash:password:salt:iterations:length:iterationLimit:)``: a count in a received message is a demand
    /// for computing time.
    public static let defaultIterationLimit = 1_000_000

    /// Derives a key from a password.
    ///
    /// - Parameters:
    ///   - hash: The hash function of the HMAC.
    ///   - password: The password's bytes.
    ///   - salt: At least 8 random bytes, or the protocol's own salt.
    ///   - iterations: The number of iterations: 1 to `iterationLimit`. A protocol's lower bound, such as the 1000 of
    ///     RFC 7518, section 4.8.1.2, is the protocol's to check.
    ///   - length: The length of the key in bytes: 1 to ``maximumLength``.
    ///   - iterationLimit: The most iterations to run.
    /// - Throws: ``CryptoError/Code/limitExceeded`` for more iterations than the limit,
    ///   ``CryptoError/Code/invalidParameter`` for fewer than one, and for a length out of its range.
    public static func deriveKey(
        hash: HashAlgorithm,
        password: some ContiguousBytes,
        salt: some ContiguousBytes,
        iterations: Int,
        length: Int,
        iterationLimit: Int = defaultIterationLimit
    ) throws(CryptoError) -> SecretBytes {
        try check(iterations: iterations, limit: iterationLimit)
        guard (1...maximumLength).contains(length) else {
            throw CryptoError(.invalidParameter, "PBKDF2 gives 1 to \(maximumLength) bytes, not \(length)")
        }
        let key = unsafe password.withUnsafeBytes { password in
            unsafe salt.withUnsafeBytes { salt in
                unsafe engineKey(hash, password: password, salt: salt, iterations: iterations, length: length)
            }
        }
        return try key.get()
    }

    #if OpenSSL
    /// libcrypto wipes its copy of the password and writes the key to storage that is wiped; swift-crypto does neither.
    private static func engineKey(
        _ hash: HashAlgorithm,
        password: UnsafeRawBufferPointer,
        salt: UnsafeRawBufferPointer,
        iterations: Int,
        length: Int
    ) -> Result<SecretBytes, CryptoError> {
        guard let passwordCount = CInt(exactly: password.count), let saltCount = CInt(exactly: salt.count),
            let rounds = CInt(exactly: iterations), let size = CInt(exactly: length)
        else { return .failure(CryptoError(.invalidParameter, "PBKDF2 takes no password or salt of 2 GB")) }
        var done: CInt = 0
        let key = unsafe SecretBytes(count: length) { output in
            done = withOwnErrorQueue {
                unsafe PKCS5_PBKDF2_HMAC(
                    password.baseAddress?.assumingMemoryBound(to: CChar.self),
                    passwordCount,
                    salt.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    saltCount,
                    rounds,
                    EVPDigest.of(hash).pointer,
                    size,
                    output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                )
            }
        }
        return done == 1 ? .success(key) : .failure(CryptoError(.engineFailure, "the engine derived no key"))
    }
    #else
    private static func engineKey(
        _ hash: HashAlgorithm,
        password: UnsafeRawBufferPointer,
        salt: UnsafeRawBufferPointer,
        iterations: Int,
        length: Int
    ) -> Result<SecretBytes, CryptoError> {
        // The engine traps on empty input without an address.
        let empty: StaticString = ""
        let nothing = unsafe UnsafeRawBufferPointer(start: empty.utf8Start, count: 0)
        do {
            let key = try unsafe KDF.Insecure.PBKDF2.deriveKey(
                from: password.isEmpty ? nothing : password,
                salt: salt.isEmpty ? nothing : salt,
                using: function(of: hash),
                outputByteCount: length,
                unsafeUncheckedRounds: iterations
            )
            return .success(SecretBytes(key))
        } catch {
            return .failure(.engineRefused("PBKDF2", error))
        }
    }

    private static func function(of hash: HashAlgorithm) -> KDF.Insecure.PBKDF2.HashFunction {
        switch hash.kind {
        case .sha1: .insecureSHA1
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }
    #endif

    /// The longest key in bytes: iterations are spent anew on every digest of it, so their limit means nothing without
    /// this one.
    public static let maximumLength = 1024

    private static func check(iterations: Int, limit: Int) throws(CryptoError) {
        guard iterations >= 1 else {
            throw CryptoError(.invalidParameter, "PBKDF2 runs one iteration at least, not \(iterations)")
        }
        guard iterations <= limit, CInt(exactly: iterations) != nil else {
            throw CryptoError(.limitExceeded, "PBKDF2 with \(iterations) iterations exceeds the limit of \(limit)")
        }
    }
}
