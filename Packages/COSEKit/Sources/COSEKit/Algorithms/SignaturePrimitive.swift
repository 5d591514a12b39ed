import CryptoCore

/// A signature algorithm of COSE: the engine's algorithm and the curves it may be used with.
struct SignaturePrimitive {
    /// The kind of key that the algorithm takes.
    enum Scheme {
        /// ECDSA with a hash function, on one of the curves.
        case ecdsa(SignatureAlgorithm, curves: Curves)
        /// EdDSA, on one of the curves.
        case edDSA(curves: Curves)
        /// RSA.
        case rsa(SignatureAlgorithm)
    }

    /// The curves that an algorithm may be used with.
    enum Curves {
        /// One alone.
        case only(EllipticCurve)
        /// Those that RFC 9053 leaves open to ES256, ES384 and ES512; secp256k1 belongs to ES256K alone (RFC 8812).
        case open
        /// Both that EdDSA is defined on.
        case edwards

        func contains(_ curve: EllipticCurve) -> Bool {
            switch self {
            case .only(let only): curve == only
            case .open: curve.family == .weierstrass && curve != .secp256k1
            case .edwards: curve.family == .edwards
            }
        }

        var members: [EllipticCurve] { EllipticCurve.all.filter(contains) }
    }

    let scheme: Scheme

    /// The engine's algorithm for a key, or nil if type or curve of the key do not go with this algorithm.
    func algorithm(for key: PublicKey) -> SignatureAlgorithm? {
        switch scheme {
        case .ecdsa(let algorithm, let curves):
            guard let curve = key.curve, curves.contains(curve) else { return nil }
            return algorithm
        case .edDSA(let curves):
            guard let curve = key.curve, curves.contains(curve) else { return nil }
            return curve == .ed25519 ? .ed25519 : .ed448
        case .rsa(let algorithm):
            return key.curve == nil ? algorithm : nil
        }
    }
}

extension COSEAlgorithm {
    var signaturePrimitive: SignaturePrimitive? {
        guard let scheme = ecdsaScheme ?? edDSAScheme ?? rsaScheme else { return nil }
        return SignaturePrimitive(scheme: scheme)
    }

    private var ecdsaScheme: SignaturePrimitive.Scheme? {
        switch self {
        case .es256: .ecdsa(.ecdsaSHA256, curves: .open)
        case .es384: .ecdsa(.ecdsaSHA384, curves: .open)
        case .es512: .ecdsa(.ecdsaSHA512, curves: .open)
        case .es256K: .ecdsa(.ecdsaSHA256, curves: .only(.secp256k1))
        case .esp256: .ecdsa(.ecdsaSHA256, curves: .only(.p256))
        case .esp384: .ecdsa(.ecdsaSHA384, curves: .only(.p384))
        case .esp512: .ecdsa(.ecdsaSHA512, curves: .only(.p521))
        case .esb256: .ecdsa(.ecdsaSHA256, curves: .only(.brainpoolP256r1))
        case .esb320: .ecdsa(.ecdsaSHA384, curves: .only(.brainpoolP320r1))
        case .esb384: .ecdsa(.ecdsaSHA384, curves: .only(.brainpoolP384r1))
        case .esb512: .ecdsa(.ecdsaSHA512, curves: .only(.brainpoolP512r1))
        default: nil
        }
    }

    private var edDSAScheme: SignaturePrimitive.Scheme? {
        switch self {
        case .edDSA: .edDSA(curves: .edwards)
        case .ed25519: .edDSA(curves: .only(.ed25519))
        case .ed448: .edDSA(curves: .only(.ed448))
        default: nil
        }
    }

    private var rsaScheme: SignaturePrimitive.Scheme? {
        switch self {
        case .ps256: .rsa(.rsaPSSSHA256)
        case .ps384: .rsa(.rsaPSSSHA384)
        case .ps512: .rsa(.rsaPSSSHA512)
        case .rs256: .rsa(.rsaPKCS1SHA256)
        case .rs384: .rsa(.rsaPKCS1SHA384)
        case .rs512: .rsa(.rsaPKCS1SHA512)
        case Insecure.rs1: .rsa(SignatureAlgorithm.Insecure.rsaPKCS1SHA1)
        default: nil
        }
    }
}
