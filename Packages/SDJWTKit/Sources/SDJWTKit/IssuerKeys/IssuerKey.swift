public import CryptoCore
public import JOSEKit

/// A key that is trusted to be an issuer's, and its origin.
public struct IssuerKey: Sendable {
    /// The key, or the keys among which the header's `kid` chooses.
    public let key: JWSKey
    /// The validated chain, where the key came from `x5c`.
    public let certificateChain: ValidatedCertificateChain?

    /// A key that the caller trusts for a reason of its own.
    public init(_ key: JWSKey) {
        self.key = key
        certificateChain = nil
    }

    /// A public key that the caller trusts for a reason of its own.
    public init(_ key: PublicKey) {
        self.init(.publicKey(key))
    }

    /// A JWK that the caller trusts for a reason of its own; its `use`, `key_ops` and `alg` are enforced.
    public init(_ key: JWK) {
        self.init(.jwk(key))
    }

    /// A key with the chain that vouches for it.
    public init(_ chain: ValidatedCertificateChain) {
        key = .publicKey(chain.leafPublicKey)
        certificateChain = chain
    }
}
