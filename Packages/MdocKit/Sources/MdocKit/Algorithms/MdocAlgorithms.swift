package import COSEKit
package import CryptoCore

/// The algorithms, the curves, and their combinations that ISO/IEC 18013-5 allows (12.3.4, 12.4.5, 12.7.2).
package enum MdocAlgorithms {
    /// The signature algorithms of issuers, devices and readers.
    package static let signatures: COSEPolicy = [
        .es256, .es384, .es512, .edDSA, .esp256, .esp384, .esp512, .esb256, .esb320, .esb384, .esb512, .ed25519, .ed448,
    ]

    /// The MAC algorithms of devices.
    package static let macs: COSEPolicy = [.hmac256_256]

    /// The algorithm that the standard assigns to a curve for signatures; nil for a curve that it does not have there.
    static func signatureAlgorithm(for curve: EllipticCurve) -> (cose: COSEAlgorithm, engine: SignatureAlgorithm)? {
        switch curve {
        case .p256, .brainpoolP256r1: (.es256, .ecdsaSHA256)
        case .p384, .brainpoolP320r1, .brainpoolP384r1: (.es384, .ecdsaSHA384)
        case .p521, .brainpoolP512r1: (.es512, .ecdsaSHA512)
        case .ed25519: (.edDSA, .ed25519)
        case .ed448: (.edDSA, .ed448)
        default: nil
        }
    }

    /// Returns `true` if a signature algorithm may be used with a key on a curve.
    package static func allows(_ algorithm: COSEAlgorithm, on curve: EllipticCurve) -> Bool {
        if algorithm == signatureAlgorithm(for: curve)?.cose { return true }
        return switch algorithm {
        case .esp256: curve == .p256
        case .esp384: curve == .p384
        case .esp512: curve == .p521
        case .esb256: curve == .brainpoolP256r1
        case .esb320: curve == .brainpoolP320r1
        case .esb384: curve == .brainpoolP384r1
        case .esb512: curve == .brainpoolP512r1
        case .ed25519: curve == .ed25519
        case .ed448: curve == .ed448
        default: false
        }
    }

    /// Returns `true` for a fully specified number, which names the curve too and is not in the standard.
    static func isFullySpecified(_ algorithm: COSEAlgorithm) -> Bool {
        switch algorithm {
        case .esp256, .esp384, .esp512, .esb256, .esb320, .esb384, .esb512, .ed25519, .ed448: true
        default: false
        }
    }

    /// Returns `true` if the standard has a curve for key agreement.
    package static func allowsKeyAgreement(on curve: EllipticCurve) -> Bool {
        switch curve {
        case .p256, .p384, .p521, .x25519, .x448: true
        case .brainpoolP256r1, .brainpoolP320r1, .brainpoolP384r1, .brainpoolP512r1: true
        default: false
        }
    }

    /// Returns `true` if the standard has a curve for device keys, which sign or agree.
    static func allowsDeviceKey(on curve: EllipticCurve) -> Bool {
        signatureAlgorithm(for: curve) != nil || allowsKeyAgreement(on: curve)
    }

    /// An ephemeral key as a COSE_Key.
    package static func keyAgreementKey(_ key: PublicKey) throws(MdocError) -> COSEKey {
        guard let curve = key.curve, allowsKeyAgreement(on: curve) else {
            throw MdocError(.unsupportedKey, "the key is not on a curve for key agreement")
        }
        return try coseKey(key)
    }

    /// A public key as a COSE_Key with kty, crv and coordinates alone.
    static func coseKey(_ key: PublicKey) throws(MdocError) -> COSEKey {
        do {
            return try COSEKey(publicKey: key)
        } catch {
            throw MdocError(.unsupportedKey, "the key has no form as a COSE_Key", cause: error)
        }
    }
}
