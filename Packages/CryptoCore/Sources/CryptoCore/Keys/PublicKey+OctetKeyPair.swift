import Crypto

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PublicKey {
    /// A key on Ed25519, Ed448, X25519 or X448 from its raw form (RFC 8032, RFC 7748).
    ///
    /// An Edwards point must be in its canonical form, on the curve, and not of small order. X25519 and X448 take every
    /// string of the right length, as RFC 7748 demands, except the points of small order in any form, which contribute
    /// nothing to a key agreement (RFC 7748, 6).
    /// - Throws: ``CryptoError`` with the code `invalidLength`, `invalidPointEncoding`, `pointNotOnCurve`, `smallOrderPoint`, `keyMismatch` for
    ///   a Weierstrass curve, or `unsupported`.
    public init(curve: EllipticCurve, rawRepresentation: some ContiguousBytes) throws(CryptoError) {
        try self.init(curve: curve, raw: rawRepresentation.copied())
    }

    init(curve: EllipticCurve, raw: [UInt8]) throws(CryptoError) {
        guard curve.family != .weierstrass else {
            throw CryptoError(.keyMismatch, "keys on \(curve.name) have no raw form, only points")
        }
        guard raw.count == curve.coordinateSize else {
            throw CryptoError(.invalidLength, "\(raw.count) bytes are no key on \(curve.name)")
        }
        try curve.checkEdwardsPoint(raw)
        try curve.checkMontgomeryCoordinate(raw)
        self.init(curve: curve, encoded: raw, engine: try Self.engine(curve, raw: raw))
    }

    private static func engine(_ curve: EllipticCurve, raw: [UInt8]) throws(CryptoError) -> Engine {
        switch curve.kind {
        case .ed25519:
            if let key = try? Curve25519.Signing.PublicKey(rawRepresentation: raw) { return .edDSA(key) }
        case .x25519:
            return .agreement
        #if OpenSSL
        case .ed448:
            if let key = EVPKey(.ed448, raw: raw) { return .edDSA(OpenSSLEd448PublicKey(key: key)) }
        case .x448:
            return .agreement
        #endif
        default:
            throw noEngine(for: curve)
        }
        throw CryptoError(.engineFailure, "the engine refuses the key on \(curve.name)")
    }

    /// The raw form of a key on Ed25519, Ed448, X25519 or X448; nil for other keys.
    public var rawRepresentation: [UInt8]? {
        type == .okp ? encoded : nil
    }
}
