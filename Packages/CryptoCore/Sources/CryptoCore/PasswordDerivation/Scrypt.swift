import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Password-based key derivation that takes memory as well as time (RFC 7914).
public enum Scrypt {
    /// The cost of one derivation.
    public struct Parameters: Hashable, Sendable {
        /// N: a power of two, the number of blocks that are kept in memory.
        public let cost: Int
        /// r: the size of a block in units of 128 bytes.
        public let blockSize: Int
        /// p: the number of independent runs.
        public let parallelism: Int

        /// Sets the cost.
        ///
        /// - Throws: ``CryptoError/Code/invalidParameter`` for a cost that is not a power of two above 1, and for a
        ///   block size or a parallelism below 1; ``CryptoError/Code/limitExceeded`` if a derivation would take more
        ///   than ``maximumMemory`` or run more than 16 times over it.
        public init(cost: Int, blockSize: Int = 8, parallelism: Int = 1) throws(CryptoError) {
            guard cost > 1, cost & (cost - 1) == 0, blockSize >= 1, parallelism >= 1 else {
                throw CryptoError(
                    .invalidParameter,
                    "scrypt does not run with N=\(cost), r=\(blockSize), p=\(parallelism)"
                )
            }
            let (line, isWide) = blockSize.multipliedReportingOverflow(by: 128)
            let (memory, isLarge) = line.multipliedReportingOverflow(by: cost)
            guard !isWide, !isLarge, memory <= Self.maximumMemory, parallelism <= 16 else {
                throw CryptoError(
                    .limitExceeded,
                    "scrypt with N=\(cost), r=\(blockSize), p=\(parallelism) takes too much"
                )
            }
            self.cost = cost
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        private init(known cost: Int) {
            self.cost = cost
            blockSize = 8
            parallelism = 1
        }

        /// N = 2^15, r = 8, p = 1: 32 MiB, for logins of people.
        public static let interactive = Parameters(known: 1 << 15)

        /// The most memory of a derivation in bytes: 256 MiB.
        public static let maximumMemory = 256 << 20
    }

    /// The longest key in bytes.
    public static let maximumLength = 1024

    /// Derives a key from a password.
    ///
    /// - Parameters:
    ///   - password: The password's bytes.
    ///   - salt: At least 1 byte; 16 random ones.
    ///   - parameters: The cost.
    ///   - length: The length of the key in bytes: 1 to ``maximumLength``.
    /// - Throws: ``CryptoError/Code/invalidParameter`` for an empty salt and for a length out of its range,
    ///   ``CryptoError/Code/engineFailure`` if the memory cannot be allocated.
    public static func deriveKey(
        password: some ContiguousBytes,
        salt: some ContiguousBytes,
        parameters: Parameters = .interactive,
        length: Int
    ) throws(CryptoError) -> SecretBytes {
        guard (1...maximumLength).contains(length) else {
            throw CryptoError(.invalidParameter, "scrypt gives 1 to \(maximumLength) bytes here, not \(length)")
        }
        let key = unsafe password.withUnsafeBytes { password in
            unsafe salt.withUnsafeBytes { salt in
                unsafe engineKey(password: password, salt: salt, parameters, length: length)
            }
        }
        return try key.get()
    }

    private static func engineKey(
        password: UnsafeRawBufferPointer,
        salt: UnsafeRawBufferPointer,
        _ parameters: Parameters,
        length: Int
    ) -> Result<SecretBytes, CryptoError> {
        guard unsafe !salt.isEmpty else { return .failure(CryptoError(.invalidParameter, "scrypt needs a salt")) }
        // The engine traps on an empty password without an address.
        let empty: StaticString = ""
        let nothing = unsafe UnsafeRawBufferPointer(start: empty.utf8Start, count: 0)
        do {
            let key = try unsafe KDF.Scrypt.deriveKey(
                from: password.isEmpty ? nothing : password,
                salt: salt,
                outputByteCount: length,
                rounds: parameters.cost,
                blockSize: parameters.blockSize,
                parallelism: parameters.parallelism
            )
            return .success(SecretBytes(key))
        } catch {
            return .failure(CryptoError(.engineFailure, "the engine derived no key", cause: error))
        }
    }
}
