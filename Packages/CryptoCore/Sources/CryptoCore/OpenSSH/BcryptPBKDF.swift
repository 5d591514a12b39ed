#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The password-based key derivation of OpenSSH's private keys: PBKDF2 over bcrypt and SHA-512.
///
/// It exists to read and write such keys. For passwords of people, ``Scrypt`` is the better choice.
public enum BcryptPBKDF {
    /// The most rounds that a derivation takes; a number in a received file is a demand for computing time.
    public static let maximumRounds = 2048
    /// The longest key in bytes.
    public static let maximumLength = 1024
    /// The longest salt in bytes.
    public static let maximumSaltLength = 1 << 16

    private static let blockSize = 32

    /// Derives a key from a password.
    ///
    /// - Parameters:
    ///   - password: The password's bytes, at least 1.
    ///   - salt: The salt, 1 to ``maximumSaltLength`` bytes; 16 random ones.
    ///   - rounds: The number of rounds, 1 to ``maximumRounds``.
    ///   - length: The length of the key in bytes, 1 to ``maximumLength``.
    /// - Throws: ``CryptoError/Code/invalidParameter`` for an empty password or salt, no rounds, and a length out of its range;
    ///   ``CryptoError/Code/limitExceeded`` for more rounds and a longer salt.
    public static func deriveKey(
        password: some ContiguousBytes,
        salt: some ContiguousBytes,
        rounds: Int,
        length: Int
    ) throws(CryptoError) -> SecretBytes {
        let salt = salt.copied()
        var password = password.copied()
        defer { wipe(&password) }
        guard !password.isEmpty, !salt.isEmpty, rounds >= 1, (1...maximumLength).contains(length) else {
            throw CryptoError(.invalidParameter, "bcrypt derives no \(length) bytes from this in \(rounds) rounds")
        }
        guard rounds <= maximumRounds, salt.count <= maximumSaltLength else {
            throw CryptoError(.limitExceeded, "bcrypt with \(rounds) rounds and \(salt.count) bytes of salt")
        }
        var passwordDigest = HashAlgorithm.sha512.digest(of: password)
        defer { wipe(&passwordDigest) }
        let blockCount = (length + blockSize - 1) / blockSize
        var key = [UInt8](repeating: 0, count: length)
        defer { wipe(&key) }
        for block in 1...blockCount {
            let counter = [0, 0, UInt8(block >> 8), UInt8(block & 255)]
            var piece = hash(passwordDigest, HashAlgorithm.sha512.digest(of: salt + counter))
            var sum = piece
            defer {
                wipe(&piece)
                wipe(&sum)
            }
            for _ in 1..<rounds {
                piece = hash(passwordDigest, HashAlgorithm.sha512.digest(of: piece))
                for index in sum.indices { sum[index] ^= piece[index] }
            }
            // The blocks are interleaved, so that all of them are needed for a part of the key.
            for (index, byte) in sum.enumerated() {
                let position = index * blockCount + block - 1
                if position < length { key[position] = byte }
            }
        }
        return SecretBytes(key)
    }

    /// The hash of bcrypt with a cost of 2⁶, for which both inputs have 64 bytes.
    private static func hash(_ password: [UInt8], _ salt: [UInt8]) -> [UInt8] {
        let (key, salt) = (words(password), words(salt))
        var cipher = Blowfish()
        cipher.expand(key: key, salt: salt)
        for _ in 0..<64 {
            cipher.expand(key: salt)
            cipher.expand(key: key)
        }
        var text = words(Array("OxychromaticBlowfishSwatDynamite".utf8))
        for index in stride(from: 0, to: text.count, by: 2) {
            var (left, right) = (text[index], text[index + 1])
            for _ in 0..<64 { cipher.encrypt(&left, &right) }
            (text[index], text[index + 1]) = (left, right)
        }
        return text.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    /// Words with their most significant byte first.
    private static func words(_ bytes: [UInt8]) -> [UInt32] {
        stride(from: 0, to: bytes.count, by: 4).map { start in
            bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
    }
}
