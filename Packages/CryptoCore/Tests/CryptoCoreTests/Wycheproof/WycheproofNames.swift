import CryptoCore

/// A name in a file that none of ours answers to.
struct UnknownName: Error {
    let name: String
}

extension EllipticCurve {
    /// The curve of a name as Wycheproof, SEC 2, RFC 5639 or JOSE write it.
    init(wycheproofName name: String) throws {
        switch name {
        case "secp256r1": self = .p256
        case "secp384r1": self = .p384
        case "secp521r1": self = .p521
        case "P-256K": self = .secp256k1
        case "edwards25519": self = .ed25519
        case "edwards448": self = .ed448
        case "curve25519": self = .x25519
        case "curve448": self = .x448
        default:
            guard let curve = EllipticCurve(name: name) else { throw UnknownName(name: name) }
            self = curve
        }
    }
}

extension HashAlgorithm {
    /// The function of a name as Wycheproof writes it; nil for SHA-224, which this module does not offer.
    static func wycheproof(_ name: String) throws -> HashAlgorithm? {
        switch name {
        case "SHA-1": .sha1
        case "SHA-224": nil
        case "SHA-256": .sha256
        case "SHA-384": .sha384
        case "SHA-512": .sha512
        default: throw UnknownName(name: name)
        }
    }
}

extension WycheproofOutcome {
    /// What a runner says of parameters with SHA-224: no profile of ours uses it.
    static let sha224 = WycheproofOutcome.outside("SHA-224 is not offered")
}
