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
