/// An encrypted JSON Web Token (RFC 7519), read and not decrypted.
///
/// A token that is signed and then encrypted is decrypted to a ``JWT``, which is verified as any other:
///
/// ```swift
/// let token = try await EncryptedJWT(compact: text).signedToken(with: .privateKey(key), policy: decryption)
/// let verified = try token.verify(with: issuerKey, policy: [.es256], claims: claimsPolicy, at: now)
/// ```
///
/// Any owner of the key may have written the claims of a token that is only encrypted; with a public key, that is
/// anyone.
public struct EncryptedJWT: Sendable {
    /// The encrypted object.
    public let jwe: JWE

    /// Takes an object that the application knows to be a token.
    public init(_ jwe: JWE) {
        self.jwe = jwe
    }

    /// Reads a token in the compact serialization.
    ///
    /// - Throws: The error for an invalid object; ``JOSEError/Code/wrongKind`` for a signed token.
    public init(compact text: some StringProtocol, limits: JOSELimits = .default) throws(JOSEError) {
        jwe = try JWE(compact: text, limits: limits)
    }

    /// Reads a token in the compact serialization.
    ///
    /// - Throws: As for a string.
    public init(compact text: some Collection<UInt8>, limits: JOSELimits = .default) throws(JOSEError) {
        let text = Array(text)
        jwe = try JWE(compact: text, limits: limits)
    }
}
