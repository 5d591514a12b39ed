import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Password-based key derivation with HMAC (RFC 8018, section 5.2).
public enum PBKDF2 {
    /// The most iterations that ``deriveKey(hash:password:salt:iterations:length:iterationLimit:)`` runs unless told
    /// otherwise: a count in a received message is a demand for computing time.
    public static let defaultIterationLimit = 1_000_000

    /// Derives a key from a password.
    ///
    /// - Parameters:
    ///   - hash: The hash function of the HMAC.
    ///   - password: The password's bytes.
    ///   - salt: At least 8 random bytes, or what the protocol says.
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
        do {
            return SecretBytes(
                try KDF.Insecure.PBKDF2.deriveKey(
                    from: password.copied(),
                    salt: salt.copied(),
                    using: function(of: hash),
                    outputByteCount: length,
                    unsafeUncheckedRounds: iterations
                )
            )
        } catch {
            throw .engineRefused("PBKDF2", error)
        }
    }

    /// The longest key in bytes: iterations are spent anew on every digest of it, so their limit means nothing without
    /// this one.
    public static let maximumLength = 1024

    private static func check(iterations: Int, limit: Int) throws(CryptoError) {
        guard iterations >= 1 else {
            throw CryptoError(.invalidParameter, "PBKDF2 runs one iteration at least, not \(iterations)")
        }
        guard iterations <= limit, UInt32(exactly: iterations) != nil else {
            throw CryptoError(.limitExceeded, "PBKDF2 with \(iterations) iterations exceeds the limit of \(limit)")
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
}
