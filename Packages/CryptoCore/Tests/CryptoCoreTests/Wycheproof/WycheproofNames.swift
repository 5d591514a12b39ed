import CryptoCore

extension EllipticCurve {
    /// The curve of a name as Wycheproof, SEC 2, RFC 5639 or JOSE write it, where the build has an engine for it.
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
            guard let curve = EllipticCurve(name: name) else { throw UnknownAlgorithm(name: name) }
            self = curve
        }
        guard isSupported else { throw UnknownAlgorithm(name: name) }
    }
}

extension HashAlgorithm {
    /// The function of a name as Wycheproof writes it, where this module offers it.
    init(wycheproofName name: String) throws {
        switch name {
        case "SHA-1": self = .sha1
        case "SHA-256": self = .sha256
        case "SHA-384": self = .sha384
        case "SHA-512": self = .sha512
        default: throw UnknownAlgorithm(name: name)
        }
    }
}
