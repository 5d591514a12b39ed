import CryptoCore

/// The numbers of an RSA key (RFC 8230 section 4).
struct RSAMaterial: Sendable {
    /// `n`.
    let modulus: [UInt8]
    /// `e`.
    let publicExponent: [UInt8]
    /// All numbers, of a private key.
    let privateNumbers: RSAPrivateComponents?
}
