import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PrivateKey {
    /// A fresh key on a curve.
    ///
    /// - Parameters:
    ///   - curve: Any curve that the build has an engine for.
    ///   - source: The source of randomness; the same bytes give the same key.
    /// - Throws: ``CryptoError`` with the code `unsupported`, or `invalidScalar` if the source keeps giving bytes that
    ///   are not a scalar.
    public static func generate(
        _ curve: EllipticCurve,
        using source: some RandomSource = .system
    ) throws(CryptoError) -> PrivateKey {
        // At worst (brainpoolP384r1) 45 % of the candidates are not below the order, so that 128 in a row are chance
        // of less than 2^-147.
        for _ in 0..<128 {
            let candidate = candidate(for: curve, using: source)
            if curve.family == .weierstrass {
                guard unsafe candidate.withUnsafeBytes({ unsafe curve.isScalar($0) }) else { continue }
            }
            return try PrivateKey(curve: curve, secret: candidate)
        }
        throw CryptoError(.invalidScalar, "the source of randomness gives no scalar of \(curve.name)")
    }

    /// Random bytes with those bits cleared that lie above the highest one of the order.
    private static func candidate(for curve: EllipticCurve, using source: some RandomSource) -> SecretBytes {
        var bytes = source.bytes(curve.coordinateSize)
        defer { wipe(&bytes) }
        if let highest = curve.order.first, !bytes.isEmpty {
            bytes[0] &= 0xff >> UInt8(truncatingIfNeeded: highest.leadingZeroBitCount)
        }
        return SecretBytes(bytes)
    }

    /// A fresh RSA key with the public exponent 65537; the engine's own randomness is used.
    ///
    /// - Parameter bits: The size of the modulus: 2048 to 4096, a multiple of 256.
    /// - Throws: ``CryptoError`` with the code `invalidParameter` for another size.
    public static func generateRSA(bits: Int) throws(CryptoError) -> PrivateKey {
        guard (2048...4096).contains(bits), bits.isMultiple(of: 256) else {
            throw CryptoError(.invalidParameter, "\(bits) bits are not a multiple of 256 between 2048 and 4096")
        }
        guard let key = try? _RSA.Signing.PrivateKey(keySize: .init(bitCount: bits)) else {
            throw CryptoError(.engineFailure, "the engine made no RSA key")
        }
        var der = [UInt8](key.derRepresentation)
        defer { wipe(&der) }
        return try PrivateKey(rsaComponents: RSAPrivateComponents(pkcs1: der[...]))
    }
}
