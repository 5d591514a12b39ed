#if OpenSSL
import CCryptoCoreOpenSSL

/// A Weierstrass curve of libcrypto and the arithmetic on points that key import needs.
///
/// `@unchecked Sendable`: the group is built once and only read afterwards.
@safe
final class ECGroup: @unchecked Sendable {
    let curve: EllipticCurve
    private let group: OpaquePointer

    private init?(_ curve: EllipticCurve, identifier: Int32) {
        guard let group = unsafe withOwnErrorQueue({ unsafe EC_GROUP_new_by_curve_name(identifier) }) else {
            return nil
        }
        self.curve = curve
        unsafe self.group = group
    }

    deinit {
        unsafe EC_GROUP_free(group)
    }

    private static let p521 = ECGroup(.p521, identifier: NID_secp521r1)
    private static let brainpoolP256r1 = ECGroup(.brainpoolP256r1, identifier: NID_brainpoolP256r1)
    private static let brainpoolP320r1 = ECGroup(.brainpoolP320r1, identifier: NID_brainpoolP320r1)
    private static let brainpoolP384r1 = ECGroup(.brainpoolP384r1, identifier: NID_brainpoolP384r1)
    private static let brainpoolP512r1 = ECGroup(.brainpoolP512r1, identifier: NID_brainpoolP512r1)
    private static let secp256k1 = ECGroup(.secp256k1, identifier: NID_secp256k1)

    /// The group of a curve that libcrypto is the engine for.
    ///
    /// - Throws: ``CryptoError/Code/unsupported`` for others, and if this libcrypto was built without the curve.
    static func of(_ curve: EllipticCurve) throws(CryptoError) -> ECGroup {
        let group: ECGroup? =
            switch curve.kind {
            case .p521: p521
            case .brainpoolP256r1: brainpoolP256r1
            case .brainpoolP320r1: brainpoolP320r1
            case .brainpoolP384r1: brainpoolP384r1
            case .brainpoolP512r1: brainpoolP512r1
            case .secp256k1: secp256k1
            default: nil
            }
        guard let group else { throw CryptoError(.unsupported, "this libcrypto does not have \(curve.name)") }
        return group
    }

    /// The uncompressed form of an encoded point, or nil if it is not a finite point of the curve.
    func uncompressed(_ encoded: [UInt8]) -> [UInt8]? {
        unsafe withPoint { point in
            guard unsafe EC_POINT_oct2point(group, point, encoded, encoded.count, nil) == 1 else { return nil }
            return unsafe encode(point)
        }
    }

    /// The uncompressed form of the base point times a secret scalar, in a time that does not depend on it.
    func publicPoint(of scalar: SecretBytes) -> [UInt8]? {
        unsafe withPoint { point in
            guard let number = unsafe scalar.withUnsafeBytes({ unsafe Self.secretNumber($0) }) else { return nil }
            defer { unsafe BN_clear_free(number) }
            guard unsafe EC_POINT_mul(group, point, number, nil, nil, nil) == 1 else { return nil }
            return unsafe encode(point)
        }
    }

    private static func secretNumber(_ bytes: UnsafeRawBufferPointer) -> OpaquePointer? {
        guard let number = unsafe BN_secure_new() else { return nil }
        unsafe BN_set_flags(number, BN_FLG_CONSTTIME)
        let start = unsafe bytes.octets
        return unsafe BN_bin2bn(start, Int32(bytes.count), number)
    }

    private func withPoint<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
        withOwnErrorQueue {
            guard let point = unsafe EC_POINT_new(group) else { return nil }
            defer { unsafe EC_POINT_free(point) }
            return unsafe body(point)
        }
    }

    private func encode(_ point: OpaquePointer) -> [UInt8]? {
        guard unsafe EC_POINT_is_at_infinity(group, point) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 1 + 2 * curve.coordinateSize)
        let written = unsafe EC_POINT_point2oct(
            group,
            point,
            POINT_CONVERSION_UNCOMPRESSED,
            &bytes,
            bytes.count,
            nil
        )
        return written == bytes.count ? bytes : nil
    }
}
#endif
