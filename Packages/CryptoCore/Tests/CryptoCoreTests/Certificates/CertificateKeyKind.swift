import CryptoCore
import Testing

/// The kinds of keys that certificates are made with here.
enum CertificateKeyKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case p256
    case p384
    case p521
    case brainpoolP256r1
    case brainpoolP320r1
    case brainpoolP384r1
    case brainpoolP512r1
    case secp256k1
    case ed25519
    case ed448
    case rsaPKCS1
    case rsaPSS

    var testDescription: String { rawValue }

    /// Those that this build has an engine for.
    static let available = allCases.filter { $0.curve?.isSupported ?? true }

    /// Indicates whether swift-certificates can read and verify them.
    var isKnownToSwiftCertificates: Bool {
        [.p256, .p384, .p521, .ed25519, .rsaPKCS1].contains(self)
    }

    private var curve: EllipticCurve? {
        switch self {
        case .p256: .p256
        case .p384: .p384
        case .p521: .p521
        case .brainpoolP256r1: .brainpoolP256r1
        case .brainpoolP320r1: .brainpoolP320r1
        case .brainpoolP384r1: .brainpoolP384r1
        case .brainpoolP512r1: .brainpoolP512r1
        case .secp256k1: .secp256k1
        case .ed25519: .ed25519
        case .ed448: .ed448
        case .rsaPKCS1, .rsaPSS: nil
        }
    }

    /// RSA keys take long to make: two for all tests.
    private static let rsaKeys = Result {
        try [PrivateKey.generateRSA(bits: 2048), PrivateKey.generateRSA(bits: 2048)]
    }

    /// A signer; for RSA one of two by the number.
    func signer(_ number: Int) throws -> SoftwareSigner {
        guard let curve else {
            let algorithm: SignatureAlgorithm = self == .rsaPSS ? .rsaPSSSHA256 : .rsaPKCS1SHA256
            return try SoftwareSigner(Self.rsaKeys.get()[number % 2], algorithm: algorithm)
        }
        return try SoftwareSigner(PrivateKey.generate(curve))
    }
}
