import CryptoCore
import JOSEKit

/// Both sides of an encryption: to whom, and what the recipient decrypts with.
struct EncryptionPair {
    let recipient: JWEEncryptionKey
    let key: JWEKey

    /// Keys that an algorithm goes with.
    init(_ algorithm: JWEAlgorithm, _ encryption: JWEEncryption) throws {
        switch algorithm {
        case .ecdhES, .ecdhES_A128KW, .ecdhES_A192KW, .ecdhES_A256KW:
            recipient = try .publicKey(TestKeys.p256.get().publicKey, algorithm)
            key = .privateKey(try TestKeys.p256.get())
        case .rsaOAEP, .rsaOAEP256, .rsaOAEP384, .rsaOAEP512:
            recipient = try .publicKey(TestKeys.rsa.get().publicKey, algorithm)
            key = .privateKey(try TestKeys.rsa.get())
        case .pbes2HS256_A128KW, .pbes2HS384_A192KW, .pbes2HS512_A256KW:
            let password = SecretBytes(Array("correct horse".utf8))
            recipient = try .password(password, algorithm, iterations: 1000)
            key = .password(password)
        default:
            let size = algorithm == .dir ? encryption.aead?.keySize ?? 0 : Self.keySize(algorithm)
            recipient = try .symmetric(TestKeys.symmetric(size), algorithm)
            key = .symmetric(TestKeys.symmetric(size))
        }
    }

    private static func keySize(_ algorithm: JWEAlgorithm) -> Int {
        switch algorithm {
        case .a128KW, .a128GCMKW: 16
        case .a192KW, .a192GCMKW: 24
        default: 32
        }
    }
}
