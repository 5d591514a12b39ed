/// The family of a key: a value of `kty` (RFC 7518, section 6.1; RFC 8037).
public enum JWKType: String, Hashable, Sendable, CustomStringConvertible {
    /// A point with two coordinates on an elliptic curve: ECDSA and ECDH.
    case ec = "EC"
    /// An octet key pair: EdDSA, X25519 and X448.
    case okp = "OKP"
    /// An RSA key.
    case rsa = "RSA"
    /// A symmetric key.
    case oct = "oct"

    /// The value of `kty`.
    public var description: String { rawValue }
}
