import Crypto

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PublicKey {
    /// A key from both coordinates of its point.
    ///
    /// - Parameters:
    ///   - curve: A Weierstrass curve.
    ///   - x: The first coordinate, big-endian in exactly ``EllipticCurve/coordinateSize`` bytes.
    ///   - y: The second one, of the same width.
    /// - Throws: ``CryptoError`` with the code `invalidLength`, `pointNotOnCurve`, `keyMismatch` for a curve of another
    ///   family, or `unsupported`.
    @inlinable
    public init(
        curve: EllipticCurve,
        x: some ContiguousBytes,
        y: some ContiguousBytes
    ) throws(CryptoError) {
        let key = unsafe x.withUnsafeBytes { x in
            unsafe y.withUnsafeBytes { y in unsafe Self.key(curve, x: x, y: y) }
        }
        self = try key.get()
    }

    @usableFromInline
    static func key(
        _ curve: EllipticCurve,
        x: UnsafeRawBufferPointer,
        y: UnsafeRawBufferPointer
    ) -> Result<PublicKey, CryptoError> {
        Result { () throws(CryptoError) in
            var point: [UInt8] = []
            point.reserveCapacity(1 + 2 * curve.coordinateSize)
            point.append(0x04)
            try unsafe append(x, "x", of: curve, to: &point)
            try unsafe append(y, "y", of: curve, to: &point)
            return try PublicKey(curve: curve, uncompressed: point)
        }
    }

    /// A key from the first coordinate of its point and the parity of the second (COSE, SEC 1).
    ///
    /// - Parameters:
    ///   - curve: A Weierstrass curve.
    ///   - x: The first coordinate, big-endian in exactly ``EllipticCurve/coordinateSize`` bytes.
    ///   - yIsOdd: Indicates that the second one is odd; COSE's sign bit.
    /// - Throws: As for both coordinates.
    public init(curve: EllipticCurve, x: some ContiguousBytes, yIsOdd: Bool) throws(CryptoError) {
        var point: [UInt8] = [yIsOdd ? 0x03 : 0x02]
        try Self.append(x.copied(), "x", of: curve, to: &point)
        try self.init(curve: curve, compressed: point)
    }

    /// A key from an encoded point, uncompressed (04…) or compressed (02…, 03…) (SEC 1, 2.3.4; X9.63).
    ///
    /// - Throws: ``CryptoError`` with the code `pointAtInfinity`, `invalidPointEncoding` for another first byte, and as
    ///   for both coordinates.
    @inlinable
    public init(curve: EllipticCurve, x963Representation: some ContiguousBytes) throws(CryptoError) {
        try self.init(curve: curve, point: x963Representation.copied())
    }

    @usableFromInline
    init(curve: EllipticCurve, point: [UInt8]) throws(CryptoError) {
        switch (point.first, point.count) {
        case (0x00, 1): throw CryptoError(.pointAtInfinity, "the point is the neutral element of \(curve.name)")
        case (0x04, _): try self.init(curve: curve, uncompressed: point)
        case (0x02, _), (0x03, _): try self.init(curve: curve, compressed: point)
        default: throw CryptoError(.invalidPointEncoding, "the first byte is not 02, 03 or 04")
        }
    }

    private init(curve: EllipticCurve, uncompressed point: [UInt8]) throws(CryptoError) {
        guard curve.family == .weierstrass else { throw Self.noPoints(on: curve) }
        guard point.count == 1 + 2 * curve.coordinateSize else { throw Self.wrongPointLength(point, on: curve) }
        let engine = try Self.ecdsaEngine(curve, uncompressed: point)
        self.init(curve: curve, encoded: point, engine: .ecdsa(engine))
    }

    private init(curve: EllipticCurve, compressed point: [UInt8]) throws(CryptoError) {
        guard curve.family == .weierstrass else { throw Self.noPoints(on: curve) }
        guard point.count == 1 + curve.coordinateSize else { throw Self.wrongPointLength(point, on: curve) }
        guard let uncompressed = try Self.decompress(point, on: curve) else { throw Self.notOnCurve(curve) }
        try self.init(curve: curve, uncompressed: uncompressed)
    }

    private static func ecdsaEngine(
        _ curve: EllipticCurve,
        uncompressed point: [UInt8]
    ) throws(CryptoError) -> any ECDSAVerifier {
        let engine: (any ECDSAVerifier)?
        switch curve.kind {
        case .p256: engine = try? P256.Signing.PublicKey(x963Representation: point)
        case .p384: engine = try? P384.Signing.PublicKey(x963Representation: point)
        #if OpenSSL
        default:
            _ = try ECGroup.of(curve)
            engine = EVPKey(curve, point: point).map { OpenSSLECPublicKey(key: $0) }
        #else
        case .p521: engine = try? P521.Signing.PublicKey(x963Representation: point)
        default: throw noEngine(for: curve)
        #endif
        }
        guard let engine else { throw notOnCurve(curve) }
        return engine
    }

    private static func decompress(_ point: [UInt8], on curve: EllipticCurve) throws(CryptoError) -> [UInt8]? {
        switch curve.kind {
        case .p256:
            return (try? P256.Signing.PublicKey(compressedRepresentation: point)).map { [UInt8]($0.x963Representation) }
        case .p384:
            return (try? P384.Signing.PublicKey(compressedRepresentation: point)).map { [UInt8]($0.x963Representation) }
        #if OpenSSL
        default: return try ECGroup.of(curve).uncompressed(point)
        #else
        case .p521:
            return (try? P521.Signing.PublicKey(compressedRepresentation: point)).map { [UInt8]($0.x963Representation) }
        default: throw noEngine(for: curve)
        #endif
        }
    }

    private static func append(
        _ coordinate: some Collection<UInt8>,
        _ name: String,
        of curve: EllipticCurve,
        to point: inout [UInt8]
    ) throws(CryptoError) {
        let count = point.count
        point.append(contentsOf: coordinate)
        guard point.count - count == curve.coordinateSize else {
            let message = "\(name) has \(point.count - count) bytes, \(curve.name) has \(curve.coordinateSize)"
            throw CryptoError(.invalidLength, message)
        }
    }

    private static func wrongPointLength(_ point: [UInt8], on curve: EllipticCurve) -> CryptoError {
        CryptoError(.invalidLength, "\(point.count) bytes are no encoded point of \(curve.name)")
    }

    private static func notOnCurve(_ curve: EllipticCurve) -> CryptoError {
        CryptoError(.pointNotOnCurve, "the point is not on \(curve.name)")
    }

    private static func noPoints(on curve: EllipticCurve) -> CryptoError {
        CryptoError(.keyMismatch, "keys on \(curve.name) have no coordinates, only a raw form")
    }

    static func noEngine(for curve: EllipticCurve) -> CryptoError {
        CryptoError(.unsupported, "this build has no engine for \(curve.name); the trait OpenSSL adds it")
    }
}

extension PublicKey {
    /// The first coordinate, big-endian in full width; nil for keys that have none.
    public var x: [UInt8]? {
        guard type == .ec, let curve else { return nil }
        return Array(encoded[1...curve.coordinateSize])
    }

    /// The second coordinate, big-endian in full width; nil for keys that have none.
    public var y: [UInt8]? {
        guard type == .ec, let curve else { return nil }
        return Array(encoded[(1 + curve.coordinateSize)...])
    }

    /// The uncompressed point (04…); nil for keys that have no coordinates.
    public var x963Representation: [UInt8]? {
        type == .ec ? encoded : nil
    }

    /// The compressed point (02…, 03…); nil for keys that have no coordinates.
    public var compressedRepresentation: [UInt8]? {
        guard type == .ec, let curve, let last = encoded.last else { return nil }
        return [0x02 | last & 1] + encoded[1...curve.coordinateSize]
    }
}
