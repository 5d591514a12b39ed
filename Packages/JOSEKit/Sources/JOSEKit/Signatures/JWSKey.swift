public import CryptoCore

/// A receiver's key for a signature or MAC, which it trusts independently of the message.
///
/// The kind of key decides what can be verified with it: a public key never authenticates a MAC, whatever a header says.
public struct JWSKey: Sendable {
    let kind: Kind

    enum Kind: Sendable {
        case publicKey(PublicKey)
        case symmetric(SecretBytes, isPublicKey: Bool)
        case jwk(JWK)
        case jwkSet(JWKSet)
        case certificateChain(CertificatePathValidator)
    }

    /// The signer's public key.
    public static func publicKey(_ key: PublicKey) -> JWSKey {
        JWSKey(kind: .publicKey(key))
    }

    /// The shared key of a MAC, with at least the bytes of the hash (RFC 7518, section 3.2).
    ///
    /// A key that is the encoding of a public key verifies nothing; the check is made here, once.
    public static func symmetric(_ key: SecretBytes) -> JWSKey {
        JWSKey(kind: .symmetric(key, isPublicKey: PublicKeyEncodings.contains(key)))
    }

    /// A JWK, whose own `use`, `key_ops` and `alg` are enforced; public or symmetric.
    public static func jwk(_ key: JWK) -> JWSKey {
        JWSKey(kind: .jwk(key))
    }

    /// One of the keys of a set: with the `kid` of the header where it has one, and fit for the algorithm.
    public static func jwkSet(_ keys: JWKSet) -> JWSKey {
        JWSKey(kind: .jwkSet(keys))
    }

    /// The keys of a set, for a layer above that looks for others of the same party; nil for any other kind.
    @_spi(Layers) public var keySet: JWKSet? {
        if case .jwkSet(let keys) = kind { keys } else { nil }
    }

    /// The key of the certificate chain in the header's `x5c`, once the chain is found valid.
    ///
    /// - Parameter validator: The caller's anchors and rules.
    public static func certificateChain(validatedBy validator: CertificatePathValidator) -> JWSKey {
        JWSKey(kind: .certificateChain(validator))
    }
}
