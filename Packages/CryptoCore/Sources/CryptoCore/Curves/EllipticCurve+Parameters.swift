extension EllipticCurve {
    /// The name that JOSE and COSE use, such as `P-256`, `brainpoolP256r1`, `secp256k1` or `Ed25519`.
    public var name: String {
        switch kind {
        case .p256: "P-256"
        case .p384: "P-384"
        case .p521: "P-521"
        case .brainpoolP256r1: "brainpoolP256r1"
        case .brainpoolP320r1: "brainpoolP320r1"
        case .brainpoolP384r1: "brainpoolP384r1"
        case .brainpoolP512r1: "brainpoolP512r1"
        case .secp256k1: "secp256k1"
        case .ed25519: "Ed25519"
        case .ed448: "Ed448"
        case .x25519: "X25519"
        case .x448: "X448"
        }
    }

    /// The name.
    public var description: String { name }

    /// The shape of the curve's equation.
    public var family: Family {
        switch kind {
        case .ed25519, .ed448: .edwards
        case .x25519, .x448: .montgomery
        default: .weierstrass
        }
    }

    /// The size in bytes of one coordinate, and of a private scalar; for Edwards and Montgomery curves of a raw key.
    ///
    /// An ECDSA signature as r‖s has twice this size: 64 bytes on P-256, 132 on P-521, 80 on brainpoolP320r1.
    public var coordinateSize: Int {
        switch kind {
        case .p256, .brainpoolP256r1, .secp256k1, .ed25519, .x25519: 32
        case .brainpoolP320r1: 40
        case .p384, .brainpoolP384r1: 48
        case .x448: 56
        case .ed448: 57
        case .brainpoolP512r1: 64
        case .p521: 66
        }
    }

    /// The object identifier in dotted decimal form: the named curve, or for RFC 8410 keys the algorithm.
    public var objectIdentifier: String {
        switch kind {
        case .p256: "1.2.840.10045.3.1.7"
        case .p384: "1.3.132.0.34"
        case .p521: "1.3.132.0.35"
        case .brainpoolP256r1: "1.3.36.3.3.2.8.1.1.7"
        case .brainpoolP320r1: "1.3.36.3.3.2.8.1.1.9"
        case .brainpoolP384r1: "1.3.36.3.3.2.8.1.1.11"
        case .brainpoolP512r1: "1.3.36.3.3.2.8.1.1.13"
        case .secp256k1: "1.3.132.0.10"
        case .x25519: "1.3.101.110"
        case .x448: "1.3.101.111"
        case .ed25519: "1.3.101.112"
        case .ed448: "1.3.101.113"
        }
    }

    /// The signature algorithm that goes with the curve's strength (RFC 9864), or nil if keys cannot sign.
    public var naturalSignatureAlgorithm: SignatureAlgorithm? {
        switch kind {
        case .p256, .brainpoolP256r1, .secp256k1: .ecdsaSHA256
        case .p384, .brainpoolP320r1, .brainpoolP384r1: .ecdsaSHA384
        case .p521, .brainpoolP512r1: .ecdsaSHA512
        case .ed25519: .ed25519
        case .ed448: .ed448
        case .x25519, .x448: nil
        }
    }

    /// The curve of a name, exactly as ``name`` gives it, or nil for any other.
    public init?(name: String) {
        guard let curve = Self.all.first(where: { $0.name.hasSameBytes(as: name) }) else { return nil }
        self = curve
    }

    /// The curve of an object identifier in dotted decimal form, or nil for any other.
    public init?(objectIdentifier: String) {
        guard let curve = Self.all.first(where: { $0.objectIdentifier == objectIdentifier }) else { return nil }
        self = curve
    }
}
