import CryptoCore

/// The operation behind a JWS algorithm, and its kind of keys.
enum JWSPrimitive {
    /// HMAC with a hash function.
    case hmac(HashAlgorithm)
    /// ECDSA, on one curve.
    case ecdsa(SignatureAlgorithm, EllipticCurve)
    /// EdDSA, on one of the curves.
    case edDSA([EllipticCurve])
    /// RSA.
    case rsa(SignatureAlgorithm)

    /// The engine's algorithm for a key, or nil if type or curve of the key do not go with this algorithm.
    func algorithm(for key: PublicKey) -> SignatureAlgorithm? {
        switch self {
        case .hmac: return nil
        case .ecdsa(let algorithm, let curve): return key.curve == curve ? algorithm : nil
        case .edDSA(let curves):
            guard let curve = key.curve, curves.contains(curve) else { return nil }
            return curve == .ed25519 ? .ed25519 : .ed448
        case .rsa(let algorithm): return algorithm.supports(key) ? algorithm : nil
        }
    }

    /// Returns `true` if a signature can have this length, for signatures that are made elsewhere.
    func allows(signatureSize size: Int) -> Bool {
        switch self {
        case .hmac(let hash): size == hash.digestSize
        case .ecdsa(_, let curve): size == curve.coordinateSize * 2
        case .edDSA(let curves): curves.contains { size == $0.coordinateSize * 2 }
        case .rsa: size >= 256
        }
    }
}

extension JWSAlgorithm {
    private static let implemented: [(name: String, primitive: JWSPrimitive)] = [
        ("HS256", .hmac(.sha256)),
        ("HS384", .hmac(.sha384)),
        ("HS512", .hmac(.sha512)),
        ("RS256", .rsa(.rsaPKCS1SHA256)),
        ("RS384", .rsa(.rsaPKCS1SHA384)),
        ("RS512", .rsa(.rsaPKCS1SHA512)),
        ("PS256", .rsa(.rsaPSSSHA256)),
        ("PS384", .rsa(.rsaPSSSHA384)),
        ("PS512", .rsa(.rsaPSSSHA512)),
        ("ES256", .ecdsa(.ecdsaSHA256, .p256)),
        ("ES384", .ecdsa(.ecdsaSHA384, .p384)),
        ("ES512", .ecdsa(.ecdsaSHA512, .p521)),
        ("ES256K", .ecdsa(.ecdsaSHA256, .secp256k1)),
        ("EdDSA", .edDSA([.ed25519, .ed448])),
        ("Ed25519", .edDSA([.ed25519])),
        ("Ed448", .edDSA([.ed448])),
    ]

    /// The names of the algorithms that are implemented.
    static let names = implemented.map(\.name)

    /// The operation behind the algorithm, or nil for one that is not implemented.
    var primitive: JWSPrimitive? { number.map { Self.implemented[$0].primitive } }
}
