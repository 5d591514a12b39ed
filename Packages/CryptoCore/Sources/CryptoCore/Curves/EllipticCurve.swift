/// An elliptic curve that keys of this module live on.
public struct EllipticCurve: Hashable, Sendable, CustomStringConvertible {
    /// The curves that this module knows, whether or not the build has an engine for them.
    enum Kind: Hashable, Sendable, CaseIterable {
        case p256
        case p384
        case p521
        case brainpoolP256r1
        case brainpoolP320r1
        case brainpoolP384r1
        case brainpoolP512r1
        case secp256k1
        case ed25519
        case ed448
        case x25519
        case x448
    }

    /// The shape of a curve's equation, and with it what its keys can do.
    public enum Family: Hashable, Sendable {
        /// A short Weierstrass curve: points with two coordinates, ECDSA and ECDH.
        case weierstrass
        /// A twisted Edwards curve: EdDSA (RFC 8032).
        case edwards
        /// A Montgomery curve: key agreement over one coordinate (RFC 7748).
        case montgomery
    }

    let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
    }

    /// NIST P-256, also secp256r1 (FIPS 186-5).
    public static let p256 = EllipticCurve(.p256)
    /// NIST P-384, also secp384r1 (FIPS 186-5).
    public static let p384 = EllipticCurve(.p384)
    /// NIST P-521, also secp521r1 (FIPS 186-5).
    public static let p521 = EllipticCurve(.p521)
    /// brainpoolP256r1 (RFC 5639).
    public static let brainpoolP256r1 = EllipticCurve(.brainpoolP256r1)
    /// brainpoolP320r1 (RFC 5639).
    public static let brainpoolP320r1 = EllipticCurve(.brainpoolP320r1)
    /// brainpoolP384r1 (RFC 5639).
    public static let brainpoolP384r1 = EllipticCurve(.brainpoolP384r1)
    /// brainpoolP512r1 (RFC 5639).
    public static let brainpoolP512r1 = EllipticCurve(.brainpoolP512r1)
    /// secp256k1 (SEC 2).
    public static let secp256k1 = EllipticCurve(.secp256k1)
    /// Ed25519 (RFC 8032).
    public static let ed25519 = EllipticCurve(.ed25519)
    /// Ed448 (RFC 8032).
    public static let ed448 = EllipticCurve(.ed448)
    /// X25519 (RFC 7748).
    public static let x25519 = EllipticCurve(.x25519)
    /// X448 (RFC 7748).
    public static let x448 = EllipticCurve(.x448)

    /// Every curve that this module knows; without the trait `OpenSSL` some of them have no engine.
    public static let all: [EllipticCurve] = [
        EllipticCurve(.p256), EllipticCurve(.p384), EllipticCurve(.p521),
        EllipticCurve(.brainpoolP256r1), EllipticCurve(.brainpoolP320r1),
        EllipticCurve(.brainpoolP384r1), EllipticCurve(.brainpoolP512r1),
        EllipticCurve(.secp256k1),
        EllipticCurve(.ed25519), EllipticCurve(.ed448), EllipticCurve(.x25519), EllipticCurve(.x448),
    ]

    /// Indicates that this build has an engine for the curve: always, where the trait `OpenSSL` is on.
    public var isSupported: Bool {
        #if OpenSSL
        true
        #else
        [.p256, .p384, .p521, .ed25519, .x25519].contains(kind)
        #endif
    }
}
