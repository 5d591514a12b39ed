import COSEKit
import CredentialTesting
import CryptoCore
import TestSupport

/// Keys for tests, the same in every run but for the RSA key.
enum TestKeys {
    static let randomness = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 0xc05e))

    static let p256 = Result { try PrivateKey.generate(.p256, using: randomness) }
    static let rsa = Result { try PrivateKey.generateRSA(bits: 2048) }

    /// A fresh key that an algorithm goes with, on the first of its curves.
    static func key(for algorithm: COSEAlgorithm) throws -> PrivateKey {
        switch algorithm {
        case .es256, .esp256: try p256.get()
        case .es384, .esp384: try .generate(.p384)
        case .es512, .esp512: try .generate(.p521)
        case .es256K: try .generate(.secp256k1)
        case .esb256: try .generate(.brainpoolP256r1)
        case .esb320: try .generate(.brainpoolP320r1)
        case .esb384: try .generate(.brainpoolP384r1)
        case .esb512: try .generate(.brainpoolP512r1)
        case .edDSA, .ed25519: try .generate(.ed25519)
        case .ed448: try .generate(.ed448)
        default: try rsa.get()
        }
    }

    /// A signer that signs as an algorithm says.
    static func signer(for algorithm: COSEAlgorithm) throws -> SoftwareSigner {
        let key = try key(for: algorithm)
        let engine: SignatureAlgorithm? =
            switch algorithm {
            case .ps384: .rsaPSSSHA384
            case .ps512: .rsaPSSSHA512
            case .rs256: .rsaPKCS1SHA256
            case .rs384: .rsaPKCS1SHA384
            case .rs512: .rsaPKCS1SHA512
            default: nil
            }
        return try SoftwareSigner(key, algorithm: engine)
    }

    /// A symmetric key of the given length, in bytes that count up.
    static func symmetric(_ length: Int) -> SecretBytes {
        SecretBytes((0..<length).map { UInt8($0) })
    }
}
