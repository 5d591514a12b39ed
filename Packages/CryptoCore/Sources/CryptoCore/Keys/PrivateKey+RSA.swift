import CryptoExtras

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PrivateKey {
    /// An RSA key from all its numbers.
    ///
    /// - Parameters:
    ///   - rsaComponents: The numbers; n has 2048 to 8192 bits.
    ///   - options: Tolerances; none by default.
    /// - Throws: ``CryptoError`` with the code `weakKey`, or `invalidRSAKey` if they are out of bounds or do not belong
    ///   together.
    public init(rsaComponents: RSAPrivateComponents, options: KeyImportOptions = []) throws(CryptoError) {
        let publicKey = try PublicKey(
            rsaModulus: rsaComponents.modulus,
            exponent: rsaComponents.publicExponent,
            options: options
        )
        let key = try RSAPrivateKey(rsaComponents, options: options)
        self.init(publicKey: publicKey, engine: .rsa(key), rawRepresentation: nil)
    }

    /// An RSA key from n, e and d alone, as a JWK or COSE_Key may give it; the primes are computed.
    ///
    /// - Throws: As for all the numbers.
    public init(
        rsaModulus: some ContiguousBytes,
        exponent: some ContiguousBytes,
        privateExponent: some ContiguousBytes,
        options: KeyImportOptions = []
    ) throws(CryptoError) {
        _ = try PublicKey(rsaModulus: rsaModulus, exponent: exponent, options: options)
        guard
            let key = try? _RSA.Signing.PrivateKey._createFromNumbers(n: rsaModulus, e: exponent, d: privateExponent)
        else { throw CryptoError(.invalidRSAKey, "the numbers of the RSA key do not belong together") }
        var der = [UInt8](key.derRepresentation)
        defer { wipe(&der) }
        try self.init(rsaComponents: RSAPrivateComponents(pkcs1: der[...]), options: options)
    }

    /// An RSA key from `RSAPrivateKey` of PKCS #1 in DER (RFC 8017, A.1.2).
    ///
    /// - Throws: ``CryptoError`` with the code `invalidDER`, and as for all the numbers.
    public init(pkcs1: some ContiguousBytes, options: KeyImportOptions = []) throws(CryptoError) {
        var der = pkcs1.copied()
        defer { wipe(&der) }
        try self.init(rsaComponents: RSAPrivateComponents(pkcs1: der[...]), options: options)
    }

    /// The numbers of an RSA key; nil for other keys.
    public var rsaComponents: RSAPrivateComponents? {
        guard case .rsa(let key) = engine else { return nil }
        return key.components
    }

    /// `RSAPrivateKey` of PKCS #1 in DER; nil for other keys.
    public var pkcs1: SecretBytes? { rsaComponents?.pkcs1 }
}
