public import CryptoCore

extension EllipticCurve {
    /// The curve of an identifier of the registry "COSE Elliptic Curves", or nil for one that is not implemented.
    public init?(coseIdentifier: Int64) {
        guard let curve = Self.all.first(where: { $0.coseIdentifier == coseIdentifier }) else { return nil }
        self = curve
    }

    /// The identifier in the registry "COSE Elliptic Curves" (RFC 9053 section 7.1, RFC 8812, RFC 9864).
    public var coseIdentifier: Int64? {
        switch self {
        case .p256: 1
        case .p384: 2
        case .p521: 3
        case .x25519: 4
        case .x448: 5
        case .ed25519: 6
        case .ed448: 7
        case .secp256k1: 8
        case .brainpoolP256r1: 256
        case .brainpoolP320r1: 257
        case .brainpoolP384r1: 258
        case .brainpoolP512r1: 259
        default: nil
        }
    }
}

/// The numbers of an EC2 or OKP key (RFC 9053 sections 7.1 and 7.2).
struct EllipticCurveMaterial: Sendable {
    /// The second coordinate: in full, or its parity.
    enum YCoordinate: Sendable {
        case full(ArraySlice<UInt8>)
        case isOdd(Bool)
    }

    /// `crv`.
    let curve: COSELabel
    /// `x`; may be missing beside a private key.
    let x: ArraySlice<UInt8>?
    /// `y`, of EC2 keys.
    let y: YCoordinate?
    /// `d`.
    let privateKey: SecretBytes?

    var curveName: String { knownCurve?.name ?? "crv \(curve)" }

    /// The curve, or nil for one that is not implemented.
    var knownCurve: EllipticCurve? {
        guard case .integer(let identifier) = curve else { return nil }
        return EllipticCurve(coseIdentifier: identifier)
    }

    /// The curve, which must be of the family that the key type is for.
    func curve(for type: COSEKeyType) throws(COSEError) -> EllipticCurve {
        guard let curve = knownCurve else {
            throw COSEError(.unsupportedKey, "curve \(self.curve) is not implemented", path: ["crv"])
        }
        guard (curve.family == .weierstrass) == (type == .ec2) else {
            throw COSEError(.invalidKey, "\(curve.name) is no curve of \(type) keys", path: ["crv"])
        }
        return curve
    }
}

/// The numbers of an RSA key (RFC 8230 section 4).
struct RSAMaterial: Sendable {
    /// `n`.
    let modulus: [UInt8]
    /// `e`.
    let publicExponent: [UInt8]
    /// All numbers, of a private key.
    let privateNumbers: RSAPrivateComponents?
}
