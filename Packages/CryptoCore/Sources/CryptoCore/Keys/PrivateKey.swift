/// A private key held in memory, with the public key that belongs to it.
///
/// Copies share the key; it is wiped with the last one. It has no description that tells anything, is not encodable,
/// and leaves only through the exports that say so.
public struct PrivateKey: Sendable {
    /// The engine's form of a key.
    enum Engine: Sendable {
        case ecdsa(any ECPrivateKeyEngine)
        case edDSA(any EdDSASigner)
        case agreement(any MontgomeryAgreement)
        case rsa(RSAPrivateKey)
    }

    /// The public key that belongs to it.
    public let publicKey: PublicKey

    let engine: Engine

    /// The scalar or raw key; nil for RSA.
    ///
    /// For Weierstrass curves a big-endian number, for the others as RFC 8032 and RFC 7748 say, always of
    /// ``EllipticCurve/coordinateSize`` bytes.
    public let rawRepresentation: SecretBytes?

    init(publicKey: PublicKey, engine: Engine, rawRepresentation: SecretBytes?) {
        self.publicKey = publicKey
        self.engine = engine
        self.rawRepresentation = rawRepresentation
    }

    /// The curve, or nil for RSA.
    public var curve: EllipticCurve? { publicKey.curve }
}

extension PrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind and the curve or size, such as `PrivateKey(P-256)`.
    public var description: String {
        if let curve { return "PrivateKey(\(curve.name))" }
        return "PrivateKey(RSA, \(publicKey.rsaModulusBits ?? 0) bits)"
    }

    /// The same as the description.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
