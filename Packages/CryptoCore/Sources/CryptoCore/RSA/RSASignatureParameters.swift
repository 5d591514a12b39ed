import CryptoExtras

/// An RSA signature scheme with its parameters, as the engines take them.
struct RSASignatureParameters {
    /// The scheme.
    enum Scheme: Equatable {
        case pkcs1
        case pss(mgf: HashAlgorithm, saltLength: Int)
    }

    let hash: HashAlgorithm
    let scheme: Scheme

    /// The parameters of an algorithm, or `nil` for an algorithm without RSA.
    init?(_ algorithm: SignatureAlgorithm) {
        switch algorithm.kind {
        case .rsaPKCS1(let hash):
            self.hash = hash
            scheme = .pkcs1
        case .rsaPSS(let hash, let mgf, let saltLength):
            self.hash = hash
            scheme = .pss(mgf: mgf, saltLength: saltLength)
        case .ecdsa, .ed25519, .ed448: return nil
        }
    }

    /// swift-crypto's padding for these parameters, or nil if it has none.
    var swiftCryptoPadding: _RSA.Signing.Padding? {
        switch scheme {
        case .pkcs1: .insecurePKCS1v1_5
        case .pss(let mgf, let saltLength): mgf == hash && saltLength == hash.digestSize ? .PSS : nil
        }
    }
}
