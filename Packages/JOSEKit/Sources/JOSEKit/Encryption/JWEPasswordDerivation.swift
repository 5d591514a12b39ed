import CryptoCore

/// The key that PBES2 derives from a password (RFC 7518, section 4.8.1).
struct JWEPasswordDerivation {
    let algorithm: JWEAlgorithm
    let hash: HashAlgorithm
    let keySize: Int

    /// The fewest iterations and the shortest salt in bytes that RFC 7518, sections 4.8.1.1 and 4.8.1.2, allow.
    private static let minimumIterations = 1000
    private static let minimumSaltSize = 8

    /// Derives the key.
    ///
    /// - Throws: ``JOSEError/Code/invalidHeader`` for a salt or count that is too small,
    ///   ``JOSEError/Code/limitExceeded`` for a count over the caller's maximum.
    func key(
        _ password: SecretBytes,
        salt: [UInt8],
        iterations: Int,
        maximum: Int
    ) throws(JOSEError) -> SecretBytes {
        guard salt.count >= Self.minimumSaltSize else {
            throw JOSEError(.invalidHeader, "a salt has at least \(Self.minimumSaltSize) bytes", path: ["p2s"])
        }
        guard iterations >= Self.minimumIterations else {
            throw JOSEError(.invalidHeader, "fewer than \(Self.minimumIterations) iterations", path: ["p2c"])
        }
        guard iterations <= maximum else {
            throw JOSEError(.limitExceeded, "\(iterations) iterations, over \(maximum)", path: ["p2c"])
        }
        do {
            return try PBKDF2.deriveKey(
                hash: hash,
                password: password,
                salt: Array(algorithm.rawValue.utf8) + [0] + salt,
                iterations: iterations,
                length: keySize,
                iterationLimit: iterations
            )
        } catch {
            throw JOSEError(.operationFailed, "no key could be derived", path: ["p2c"], cause: error)
        }
    }
}
