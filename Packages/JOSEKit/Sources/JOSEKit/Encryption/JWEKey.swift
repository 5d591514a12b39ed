public import CryptoCore

/// A recipient's key for recovering the content key of a JWE.
///
/// The kind of key decides which algorithms can use it, whatever a header says.
public struct JWEKey: Sendable {
    let kind: Kind

    enum Kind: Sendable {
        case symmetric(SecretBytes)
        case password(SecretBytes)
        case agreement(any KeyAgreement)
        case rsa(PrivateKey)
        case jwk(JWK)
        case jwkSet(JWKSet)
    }

    /// A shared key: for direct use, or to unwrap with.
    public static func symmetric(_ key: SecretBytes) -> JWEKey {
        JWEKey(kind: .symmetric(key))
    }

    /// A password in UTF-8, for the algorithms of PBES2.
    public static func password(_ password: SecretBytes) -> JWEKey {
        JWEKey(kind: .password(password))
    }

    /// A private key for ECDH-ES, wherever it lives.
    public static func keyAgreement(_ key: any KeyAgreement) -> JWEKey {
        JWEKey(kind: .agreement(key))
    }

    /// A private key in memory: RSA, or one for ECDH-ES.
    public static func privateKey(_ key: PrivateKey) -> JWEKey {
        JWEKey(kind: key.curve == nil ? .rsa(key) : .agreement(key))
    }

    /// A JWK with its private part, or a symmetric one, whose own `use`, `key_ops` and `alg` are enforced.
    ///
    /// A symmetric JWK is a password where its `alg` says so.
    public static func jwk(_ key: JWK) -> JWEKey {
        JWEKey(kind: .jwk(key))
    }

    /// One of the keys of a set: with the `kid` of the header where it has one, and fit for the algorithm.
    public static func jwkSet(_ keys: JWKSet) -> JWEKey {
        JWEKey(kind: .jwkSet(keys))
    }
}
