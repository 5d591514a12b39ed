import CryptoCore

/// The operation behind a key management algorithm; sizes are in bytes.
enum JWEPrimitive: Hashable {
    /// The shared key is the content encryption key.
    case direct
    /// AES Key Wrap.
    case keyWrap(keySize: Int)
    /// AES-GCM over the key.
    case gcmKeyWrap(keySize: Int)
    /// ECDH-ES, whose result is the content encryption key.
    case agreement
    /// ECDH-ES, whose result wraps the content encryption key.
    case agreementWithKeyWrap(keySize: Int)
    /// RSAES-OAEP with a hash function.
    case rsaOAEP(HashAlgorithm)
    /// RSAES-PKCS1-v1_5.
    case rsaPKCS1
    /// PBES2 with a hash function and AES Key Wrap.
    case password(HashAlgorithm, keySize: Int)

    /// Indicates that no content encryption key is sent; there is then one recipient and no encrypted key.
    var sendsNoKey: Bool { self == .direct || self == .agreement }
}

extension JWEAlgorithm {
    private static let primitives: [JWEAlgorithm: JWEPrimitive] = [
        .dir: .direct,
        .a128KW: .keyWrap(keySize: 16),
        .a192KW: .keyWrap(keySize: 24),
        .a256KW: .keyWrap(keySize: 32),
        .a128GCMKW: .gcmKeyWrap(keySize: 16),
        .a192GCMKW: .gcmKeyWrap(keySize: 24),
        .a256GCMKW: .gcmKeyWrap(keySize: 32),
        .ecdhES: .agreement,
        .ecdhES_A128KW: .agreementWithKeyWrap(keySize: 16),
        .ecdhES_A192KW: .agreementWithKeyWrap(keySize: 24),
        .ecdhES_A256KW: .agreementWithKeyWrap(keySize: 32),
        .rsaOAEP: .rsaOAEP(.sha1),
        .rsaOAEP256: .rsaOAEP(.sha256),
        .rsaOAEP384: .rsaOAEP(.sha384),
        .rsaOAEP512: .rsaOAEP(.sha512),
        Insecure.rsa1_5: .rsaPKCS1,
        .pbes2HS256_A128KW: .password(.sha256, keySize: 16),
        .pbes2HS384_A192KW: .password(.sha384, keySize: 24),
        .pbes2HS512_A256KW: .password(.sha512, keySize: 32),
    ]

    /// The operation behind the algorithm, or nil for one that is not implemented.
    var primitive: JWEPrimitive? { Self.primitives[self] }

    /// The error for an algorithm that this build has no engine for.
    func withoutEngine(_ cause: CryptoError) -> JOSEError {
        JOSEError(.unsupportedAlgorithm, "this build has no engine for \(self)", path: ["alg"], cause: cause)
    }
}
