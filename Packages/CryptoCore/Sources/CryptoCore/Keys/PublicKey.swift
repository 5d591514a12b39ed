/// A public key, checked when it was made: its point is on the curve, is not the neutral element, and has no small order.
///
/// The engine's own form of the key is built once and kept, so that a key that verifies often should be kept as this
/// value. Copies share one storage.
public struct PublicKey: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of keys, named as JOSE and COSE do.
    public enum KeyType: Hashable, Sendable {
        /// A point with two coordinates on a Weierstrass curve: ECDSA and ECDH.
        case ec
        /// An octet key pair: EdDSA or X25519 and X448 (RFC 8037).
        case okp
        /// An RSA key.
        case rsa
    }

    /// The engine's form of a key.
    enum Engine: Sendable {
        case ecdsa(any ECDSAVerifier)
        case edDSA(any EdDSAVerifier)
        case agreement
        case rsa(RSAPublicKey)
    }

    private let storage: PublicKeyStorage

    /// The curve, or nil for RSA.
    public let curve: EllipticCurve?

    /// The uncompressed point, the raw key, or for RSA the DER of PKCS #1.
    var encoded: [UInt8] { storage.encoded }

    var engine: Engine { storage.engine }

    /// The restriction of an RSA key that is marked for PSS; nil for other keys.
    var restriction: RSAKeyRestriction? { storage.restriction }

    init(curve: EllipticCurve?, encoded: [UInt8], engine: Engine, restriction: RSAKeyRestriction? = nil) {
        self.curve = curve
        storage = PublicKeyStorage(encoded: encoded, engine: engine, restriction: restriction)
    }

    /// The kind of key.
    public var type: KeyType {
        switch curve?.family {
        case .weierstrass: .ec
        case .edwards, .montgomery: .okp
        case nil: .rsa
        }
    }

    /// Returns `true` if both are the same key.
    public static func == (left: PublicKey, right: PublicKey) -> Bool {
        left.storage === right.storage
            || (left.curve == right.curve && left.encoded == right.encoded && left.restriction == right.restriction)
    }

    /// Feeds curve and key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(curve)
        hasher.combine(encoded)
    }

    /// The kind and the curve or size, such as `PublicKey(P-256)` or `PublicKey(RSA, 2048 bits)`.
    public var description: String {
        if let curve { return "PublicKey(\(curve.name))" }
        return "PublicKey(RSA, \(rsaModulusBits ?? 0) bits)"
    }
}

/// The storage that all copies of a public key share: threads that verify with one key count references to one object,
/// not to three.
final class PublicKeyStorage: Sendable {
    /// The uncompressed point, the raw key, or for RSA the DER of PKCS #1.
    let encoded: [UInt8]

    /// The engine's form of the key.
    let engine: PublicKey.Engine

    /// The restriction of an RSA key that is marked for PSS; nil for other keys.
    let restriction: RSAKeyRestriction?

    init(encoded: [UInt8], engine: PublicKey.Engine, restriction: RSAKeyRestriction?) {
        self.encoded = encoded
        self.engine = engine
        self.restriction = restriction
    }
}
