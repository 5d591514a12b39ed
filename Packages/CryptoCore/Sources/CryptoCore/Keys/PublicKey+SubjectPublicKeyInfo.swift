#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PublicKey {
    /// A key from `SubjectPublicKeyInfo` in DER (RFC 5280, 4.1.2.7; RFC 5480; RFC 8410; RFC 8017).
    ///
    /// Curves must be named; explicit parameters are refused, as RFC 5480 demands. An RSA key marked id-RSASSA-PSS is used
    /// with PSS only, and with its parameters where it has some (RFC 4055, 1.2).
    /// - Throws: ``CryptoError`` with the code `invalidDER`, `unsupported` for an unknown algorithm or curve, and as for
    ///   the key's own initialiser.
    public init(subjectPublicKeyInfo: some ContiguousBytes, options: KeyImportOptions = []) throws(CryptoError) {
        try self.init(subjectPublicKeyInfo: subjectPublicKeyInfo.copied()[...], options: options)
    }

    init(subjectPublicKeyInfo: ArraySlice<UInt8>, options: KeyImportOptions = []) throws(CryptoError) {
        do throws(CryptoError) {
            var reader = DERReader(subjectPublicKeyInfo)
            var info = try reader.readSequence()
            try reader.finish()
            let algorithm = try KeyAlgorithmIdentifier(from: &info)
            let key = try info.readBitString()
            try info.finish()
            try self.init(algorithm, key: key, options: options)
        } catch {
            throw error.inside("SubjectPublicKeyInfo")
        }
    }

    private init(
        _ algorithm: KeyAlgorithmIdentifier,
        key: ArraySlice<UInt8>,
        options: KeyImportOptions
    ) throws(CryptoError) {
        switch algorithm {
        case .ellipticCurve(let curve): try self.init(curve: curve, point: Array(key))
        case .octetKeyPair(let curve): try self.init(curve: curve, raw: Array(key))
        case .rsa: try self.init(pkcs1: key, options: options)
        case .rsaPSS(let restriction): self = try PublicKey(pkcs1: key, options: options).restricted(to: restriction)
        }
    }

    /// A key from PEM: `PUBLIC KEY`, or `RSA PUBLIC KEY` for PKCS #1 (RFC 7468, 13).
    ///
    /// - Throws: ``CryptoError`` with the code `invalidPEM`, and as for the DER form.
    public init(pem: some StringProtocol, options: KeyImportOptions = []) throws(CryptoError) {
        let pem = try PEM(pem)
        switch pem.label {
        case "PUBLIC KEY": try self.init(subjectPublicKeyInfo: pem.bytes[...], options: options)
        case "RSA PUBLIC KEY": try self.init(pkcs1: pem.bytes[...], options: options)
        default: throw CryptoError(.invalidPEM, "\(pem.label) is no public key")
        }
    }

    /// `SubjectPublicKeyInfo` in DER, with an uncompressed point.
    public var subjectPublicKeyInfo: [UInt8] {
        DERValue.sequence([algorithmIdentifier.derValue, .bitString(encoded)]).encoded
    }

    /// `SubjectPublicKeyInfo` in PEM.
    public var pem: String { PEM(label: "PUBLIC KEY", bytes: subjectPublicKeyInfo).text }

    /// The algorithm identifier before the key in SPKI and PKCS #8.
    var algorithmIdentifier: KeyAlgorithmIdentifier {
        if let restriction { return .rsaPSS(restriction) }
        guard let curve else { return .rsa }
        return curve.family == .weierstrass ? .ellipticCurve(curve) : .octetKeyPair(curve)
    }
}
