#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PrivateKey {
    /// A key from `PrivateKeyInfo` or `OneAsymmetricKey` of PKCS #8 in DER, not encrypted (RFC 5208, RFC 5958).
    ///
    /// Attributes are ignored; a public key in it must be the private key's.
    /// - Parameters:
    ///   - pkcs8: The structure.
    ///   - options: Tolerances; none by default.
    /// - Throws: ``CryptoError`` with the code `invalidDER`, `unsupported`, `keyPairMismatch`, or as for the key itself.
    public init(pkcs8: some ContiguousBytes, options: KeyImportOptions = []) throws(CryptoError) {
        var der = pkcs8.copied()
        defer { wipe(&der) }
        try self.init(pkcs8: der[...], options: options)
    }

    init(pkcs8: ArraySlice<UInt8>, options: KeyImportOptions) throws(CryptoError) {
        do throws(CryptoError) {
            var reader = DERReader(pkcs8)
            var info = try reader.readSequence()
            try reader.finish()
            let version = try info.readSmallInteger()
            guard version <= 1 else { throw CryptoError(.invalidDER, "the version is neither 0 nor 1") }
            let algorithm = try KeyAlgorithmIdentifier(from: &info)
            let key = try info.read(DERReader.Tag.octetString)
            _ = try info.readIfPresent(DERReader.Tag.context(0))
            let publicKey = version == 1 ? try Self.readPublicKeyField(&info) : nil
            try info.finish()
            try self.init(algorithm, key: key, options: options)
            try check(publicKeyField: publicKey)
        } catch {
            throw error.inside("PrivateKeyInfo")
        }
    }

    private init(
        _ algorithm: KeyAlgorithmIdentifier,
        key: ArraySlice<UInt8>,
        options: KeyImportOptions
    ) throws(CryptoError) {
        switch algorithm {
        case .ellipticCurve(let curve): try self.init(sec1: key, curve: curve)
        case .octetKeyPair(let curve): try self.init(curve: curve, curvePrivateKey: key)
        case .rsa: try self.init(rsaComponents: RSAPrivateComponents(pkcs1: key), options: options)
        case .rsaPSS(let restriction):
            let key = try PrivateKey(rsaComponents: RSAPrivateComponents(pkcs1: key), options: options)
            self.init(
                publicKey: key.publicKey.restricted(to: restriction),
                engine: key.engine,
                rawRepresentation: nil
            )
        }
    }

    /// Reads `CurvePrivateKey` (RFC 8410, 7).
    private init(curve: EllipticCurve, curvePrivateKey: ArraySlice<UInt8>) throws(CryptoError) {
        var reader = DERReader(curvePrivateKey)
        let raw = try reader.read(DERReader.Tag.octetString)
        try reader.finish()
        try self.init(curve: curve, secret: SecretBytes(raw))
    }

    /// Reads the field `publicKey`, an implicitly tagged BIT STRING (RFC 5958, 2).
    private static func readPublicKeyField(_ info: inout DERReader) throws(CryptoError) -> ArraySlice<UInt8>? {
        let start = info.position
        guard let content = try info.readIfPresent(DERReader.Tag.primitiveContext(1)) else { return nil }
        return try DERReader.wholeBytes(ofBitString: content, at: start)
    }

    private func check(publicKeyField: ArraySlice<UInt8>?) throws(CryptoError) {
        guard let publicKeyField else { return }
        let isOwn =
            if let curve, curve.family == .weierstrass {
                try PublicKey(curve: curve, point: Array(publicKeyField)) == publicKey
            } else {
                publicKeyField.elementsEqual(publicKey.encoded)
            }
        guard isOwn else { throw CryptoError(.keyPairMismatch, "the public key is not the private key's") }
    }

    /// `PrivateKeyInfo` of PKCS #8 in DER, not encrypted (version 0).
    public var pkcs8: SecretBytes {
        let algorithm = publicKey.algorithmIdentifier.derValue
        let key = DERValue.secret(tag: DERReader.Tag.octetString, privateKeyField)
        return DERValue.sequence([.integer(0), algorithm, key]).encodedSecret
    }

    /// The content of the field `privateKey`.
    private var privateKeyField: SecretBytes {
        if let pkcs1 { return pkcs1 }
        if let key = ecPrivateKey(namingCurve: false) { return key.encodedSecret }
        let raw = rawRepresentation ?? SecretBytes([] as [UInt8])
        return DERValue.secret(tag: DERReader.Tag.octetString, raw).encodedSecret
    }
}
