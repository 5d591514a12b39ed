#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The two numbers of an ECDSA signature, convertible between the forms that COSE and JOSE use and that X.509 uses.
public struct ECDSASignature: Hashable, Sendable {
    /// The curve whose width the numbers have.
    public let curve: EllipticCurve

    /// r‖s, each in ``EllipticCurve/coordinateSize`` bytes.
    public let rawRepresentation: [UInt8]

    /// Reads r‖s.
    ///
    /// - Throws: ``CryptoError/Code/invalidSignatureEncoding`` for another length than the curve's, or where r or s is
    ///   zero or not below the order; ``CryptoError/Code/keyMismatch`` for a curve without ECDSA.
    public init(rawRepresentation: some ContiguousBytes, curve: EllipticCurve) throws(CryptoError) {
        try self.init(raw: rawRepresentation.copied(), curve: curve)
    }

    /// Reads `ECDSA-Sig-Value`, strictly in DER (RFC 3279, 2.2.3).
    ///
    /// - Throws: ``CryptoError/Code/invalidSignatureEncoding`` for anything else, and as for r‖s.
    public init(derRepresentation: some ContiguousBytes, curve: EllipticCurve) throws(CryptoError) {
        guard let raw = Self.raw(fromDER: derRepresentation.copied()[...], curve: curve) else {
            throw CryptoError(.invalidSignatureEncoding, "not the DER form of two numbers of \(curve.name)")
        }
        try self.init(raw: raw, curve: curve)
    }

    private init(raw: [UInt8], curve: EllipticCurve) throws(CryptoError) {
        guard curve.family == .weierstrass else {
            throw CryptoError(.keyMismatch, "there is no ECDSA on \(curve.name)")
        }
        let size = curve.coordinateSize
        guard raw.count == 2 * size else {
            let message = "\(raw.count) bytes are not the \(2 * size) of r and s on \(curve.name)"
            throw CryptoError(.invalidSignatureEncoding, message)
        }
        let areScalars = unsafe raw.withUnsafeBytes { raw in
            unsafe curve.isScalar(UnsafeRawBufferPointer(rebasing: raw[..<size]))
                && curve.isScalar(UnsafeRawBufferPointer(rebasing: raw[size...]))
        }
        guard areScalars else {
            throw CryptoError(.invalidSignatureEncoding, "r or s is zero or not below the order of \(curve.name)")
        }
        self.curve = curve
        rawRepresentation = raw
    }

    /// `ECDSA-Sig-Value` in DER.
    public var derRepresentation: [UInt8] { Self.der(fromRaw: rawRepresentation) }

    /// The DER form of r‖s, without checks of the numbers.
    static func der(fromRaw raw: [UInt8]) -> [UInt8] {
        let size = raw.count / 2
        return DERValue.sequence([
            .unsignedInteger(Array(raw[..<size])), .unsignedInteger(Array(raw[size...])),
        ]).encoded
    }

    /// r‖s of a DER form, without checks of the numbers; nil if it is not strict DER or a number is too wide.
    static func raw(fromDER der: ArraySlice<UInt8>, curve: EllipticCurve) -> [UInt8]? {
        var reader = DERReader(der)
        guard var numbers = try? reader.readSequence(), reader.isAtEnd,
            let r = try? numbers.readUnsignedInteger(), let s = try? numbers.readUnsignedInteger(), numbers.isAtEnd
        else { return nil }
        let size = curve.coordinateSize
        guard r.count <= size, s.count <= size else { return nil }
        var raw = [UInt8](repeating: 0, count: 2 * size)
        raw.replaceSubrange((size - r.count)..<size, with: r)
        raw.replaceSubrange((2 * size - s.count)..., with: s)
        return raw
    }
}

/// The encoding of the two numbers of an ECDSA signature.
public enum ECDSASignatureFormat: Hashable, Sendable {
    /// r‖s, each with the fixed width of the curve: COSE, JOSE, IEEE P1363.
    case raw
    /// `ECDSA-Sig-Value`, a DER sequence of two integers: X.509, CMS, TLS (RFC 3279, 2.2.3).
    case der
}
