import CryptoCore

/// The curves of ISO/IEC 18013-5 for which this build has an engine: all of them with the trait `OpenSSL`.
extension EllipticCurve {
    /// For signatures of issuers, devices and readers (12.3.4, 12.4.6).
    static let standardForSignatures: [EllipticCurve] = [
        .p256, .p384, .p521, .brainpoolP256r1, .brainpoolP320r1, .brainpoolP384r1, .brainpoolP512r1, .ed25519, .ed448,
    ].filter(\.isSupported)

    /// For key agreement of devices and readers (12.7.2).
    static let standardForKeyAgreement: [EllipticCurve] = [
        .p256, .p384, .p521, .x25519, .x448, .brainpoolP256r1, .brainpoolP320r1, .brainpoolP384r1, .brainpoolP512r1,
    ].filter(\.isSupported)

    /// For keys that sign certificates (Annex B).
    static let standardForAuthorities = standardForSignatures.filter { $0.family == .weierstrass }
}
