import CryptoCore

/// A key that a signature may be checked with, and where it is from.
struct JWSCandidate: Sendable {
    enum Key: Sendable {
        case publicKey(PublicKey)
        case symmetric(SecretBytes)
    }

    let key: Key
    var chain: ValidatedCertificateChain?
    var jwk: JWK?
}
