import CredentialTesting
import CryptoCore
import JOSEKit
import TestSupport

/// Keys for tests, the same in every run but for the RSA key.
enum TestKeys {
    static let randomness = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 0x105e))

    static let p256 = Result { try PrivateKey.generate(.p256, using: randomness) }
    static let rsa = Result { try PrivateKey.generateRSA(bits: 2048) }

    /// A key that an algorithm goes with.
    static func key(for algorithm: JWSAlgorithm) throws -> PrivateKey {
        switch algorithm {
        case .es256: try p256.get()
        case .es384: try .generate(.p384)
        case .es512: try .generate(.p521)
        case .es256K: try .generate(.secp256k1)
        case .edDSA, .ed25519: try .generate(.ed25519)
        case .ed448: try .generate(.ed448)
        default: try rsa.get()
        }
    }

    /// A signer that signs as an algorithm says.
    static func signer(for algorithm: JWSAlgorithm) throws -> SoftwareSigner {
        try JWK(key(for: algorithm)).signer(algorithm: algorithm)
    }

    /// A signer with the P-256 key.
    static func es256() throws -> SoftwareSigner { try signer(for: .es256) }

    /// A symmetric key of the given length, in bytes that count up.
    static func symmetric(_ length: Int) -> SecretBytes {
        SecretBytes((0..<length).map { UInt8($0) })
    }
}

extension JWSAlgorithm {
    static let macs: [JWSAlgorithm] = [.hs256, .hs384, .hs512]
    static let signatures = withEngine.filter { !macs.contains($0) }
}
