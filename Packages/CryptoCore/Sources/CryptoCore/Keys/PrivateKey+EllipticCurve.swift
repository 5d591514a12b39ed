import Crypto

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PrivateKey {
    /// A key from its scalar (Weierstrass curves) or its raw form (RFC 8032, RFC 7748); the public key is computed.
    ///
    /// - Parameters:
    ///   - curve: The curve.
    ///   - rawRepresentation: Exactly ``EllipticCurve/coordinateSize`` bytes; a scalar is big-endian, above zero and
    ///     below the order.
    /// - Throws: ``CryptoError`` with the code `invalidLength`, `invalidScalar` or `unsupported`.
    public init(curve: EllipticCurve, rawRepresentation: some ContiguousBytes) throws(CryptoError) {
        try self.init(curve: curve, secret: SecretBytes(rawRepresentation))
    }

    init(curve: EllipticCurve, secret: SecretBytes) throws(CryptoError) {
        guard secret.count == curve.coordinateSize else {
            throw CryptoError(.invalidLength, "\(secret.count) bytes are no private key on \(curve.name)")
        }
        guard curve.family == .weierstrass else {
            try self.init(octetKeyPair: curve, secret: secret)
            return
        }
        guard unsafe secret.withUnsafeBytes({ unsafe curve.isScalar($0) }) else {
            throw CryptoError(.invalidScalar, "the scalar is zero or not below the order of \(curve.name)")
        }
        try self.init(weierstrass: curve, scalar: secret)
    }

    private init(weierstrass curve: EllipticCurve, scalar: SecretBytes) throws(CryptoError) {
        let (engine, point) = try Self.engine(curve, scalar: scalar)
        let publicKey = try PublicKey(curve: curve, point: point)
        self.init(publicKey: publicKey, engine: .ecdsa(engine), rawRepresentation: scalar)
    }

    private static func engine(
        _ curve: EllipticCurve,
        scalar: SecretBytes
    ) throws(CryptoError) -> (engine: any ECPrivateKeyEngine, point: [UInt8]) {
        switch curve.kind {
        case .p256:
            let key = try SwiftCryptoECKey<P256>(scalar: scalar)
            return (key, key.publicPoint)
        case .p384:
            let key = try SwiftCryptoECKey<P384>(scalar: scalar)
            return (key, key.publicPoint)
        #if OpenSSL
        default:
            let group = try ECGroup.of(curve)
            guard let point = group.publicPoint(of: scalar), let key = EVPKey(curve, point: point, scalar: scalar)
            else { throw CryptoError(.invalidScalar, "libcrypto refuses the scalar") }
            return (OpenSSLECPrivateKey(curve: curve, key: key), point)
        #else
        case .p521:
            let key = try SwiftCryptoECKey<P521>(scalar: scalar)
            return (key, key.publicPoint)
        default:
            throw PublicKey.noEngine(for: curve)
        #endif
        }
    }

    private init(octetKeyPair curve: EllipticCurve, secret: SecretBytes) throws(CryptoError) {
        let (engine, raw) = try Self.octetKeyPairEngine(curve, secret: secret)
        let publicKey = try PublicKey(curve: curve, raw: raw)
        self.init(publicKey: publicKey, engine: engine, rawRepresentation: secret)
    }

    private static func octetKeyPairEngine(
        _ curve: EllipticCurve,
        secret: SecretBytes
    ) throws(CryptoError) -> (engine: Engine, publicKey: [UInt8]) {
        switch curve.kind {
        case .ed25519:
            if let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: secret) {
                return (.edDSA(key), [UInt8](key.publicKey.rawRepresentation))
            }
        case .x25519:
            if let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: secret) {
                return (.agreement(key), [UInt8](key.publicKey.rawRepresentation))
            }
        #if OpenSSL
        case .ed448:
            if let key = EVPKey(curve, secret: secret), let raw = key.rawPublicKey(size: secret.count) {
                return (.edDSA(OpenSSLEd448PrivateKey(key: key)), raw)
            }
        case .x448:
            if let key = EVPKey(curve, secret: secret), let raw = key.rawPublicKey(size: secret.count) {
                return (.agreement(OpenSSLX448PrivateKey(key: key)), raw)
            }
        #endif
        default:
            throw PublicKey.noEngine(for: curve)
        }
        throw CryptoError(.engineFailure, "the engine refuses the key on \(curve.name)")
    }
}
