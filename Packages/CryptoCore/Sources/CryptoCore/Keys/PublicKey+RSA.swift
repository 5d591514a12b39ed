#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PublicKey {
    /// An RSA key from its numbers (RFC 8017), big-endian; leading zeros are ignored.
    ///
    /// - Parameters:
    ///   - rsaModulus: n, odd, of 2048 to 16384 bits.
    ///   - exponent: e, odd, above 1, of at most 64 bits.
    ///   - options: Tolerances; none by default.
    /// - Throws: ``CryptoError`` with the code `weakKey`, `invalidRSAKey` or `unsupported`.
    public init(
        rsaModulus: some ContiguousBytes,
        exponent: some ContiguousBytes,
        options: KeyImportOptions = []
    ) throws(CryptoError) {
        try self.init(modulus: rsaModulus.copied()[...], exponent: exponent.copied()[...], options: options)
    }

    /// An RSA key from `RSAPublicKey` of PKCS #1 in DER (RFC 8017, A.1.1).
    ///
    /// - Throws: ``CryptoError`` with the code `invalidDER`, `weakKey`, `invalidRSAKey` or `unsupported`.
    public init(pkcs1: some ContiguousBytes, options: KeyImportOptions = []) throws(CryptoError) {
        try self.init(pkcs1: pkcs1.copied()[...], options: options)
    }

    init(pkcs1: ArraySlice<UInt8>, options: KeyImportOptions) throws(CryptoError) {
        var reader = DERReader(pkcs1)
        do throws(CryptoError) {
            var numbers = try reader.readSequence()
            try reader.finish()
            let modulus = try numbers.readUnsignedInteger()
            let exponent = try numbers.readUnsignedInteger()
            try numbers.finish()
            try self.init(modulus: modulus, exponent: exponent, options: options)
        } catch {
            throw error.inside("RSAPublicKey")
        }
    }

    private init(
        modulus: ArraySlice<UInt8>,
        exponent: ArraySlice<UInt8>,
        options: KeyImportOptions
    ) throws(CryptoError) {
        self.init(try RSAPublicKey(modulus: modulus, exponent: exponent, options: options))
    }

    private init(_ key: RSAPublicKey) {
        self.init(curve: nil, encoded: key.pkcs1, engine: .rsa(key))
    }

    /// The same RSA key, restricted to PSS.
    func restricted(to restriction: RSAKeyRestriction) -> PublicKey {
        PublicKey(curve: curve, encoded: encoded, engine: engine, restriction: restriction)
    }

    /// n, big-endian without leading zeros; nil for other keys.
    public var rsaModulus: [UInt8]? { rsaKey?.modulus }

    /// e, big-endian without leading zeros; nil for other keys.
    public var rsaExponent: [UInt8]? { rsaKey?.exponent }

    /// The size of the modulus in bits; nil for other keys.
    public var rsaModulusBits: Int? { rsaKey.map { RSANumbers.bits($0.modulus) } }

    /// `RSAPublicKey` of PKCS #1 in DER; nil for other keys.
    public var pkcs1: [UInt8]? { type == .rsa ? encoded : nil }

    /// The RSA engines' form of the key; nil for other keys.
    var rsaKey: RSAPublicKey? {
        guard case .rsa(let key) = engine else { return nil }
        return key
    }
}
