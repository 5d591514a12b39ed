import CryptoCore

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
