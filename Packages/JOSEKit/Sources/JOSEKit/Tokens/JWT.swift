public import CryptoCore

/// A signed JSON Web Token (RFC 7519), read and not verified.
///
/// Verification gives its claims:
///
/// ```swift
/// let token = try JWT(compact: text)
/// let verified = try token.verify(
///     with: issuerKey,
///     policy: [.es256],
///     claims: JWTClaimsPolicy(issuers: ["https://issuer.example"], audience: .named("https://me.example")),
///     at: now
/// ).get()
/// let subject = try verified.claims.subject()
/// ```
public struct JWT: Sendable {
    /// The signed object.
    public let jws: JWS

    /// The encrypted object that held the token, with its header; nil for a token that was not encrypted.
    ///
    /// Any owner of the encryption key may have written that header; the token's signature does not cover it.
    public let encryption: DecryptedJWE?

    /// Takes an object that the application knows to be a token.
    ///
    /// - Throws: ``JOSEError/Code/notEnoughSignatures`` for several signatures, ``JOSEError/Code/missingPayload`` for a
    ///   detached payload, ``JOSEError/Code/invalidHeader`` for one that is not encoded (RFC 7797, section 7).
    public init(_ jws: JWS) throws(JOSEError) {
        try self.init(jws, in: nil)
    }

    /// Takes the content of an encrypted object.
    init(_ jws: JWS, in encryption: DecryptedJWE?) throws(JOSEError) {
        let signature = try jws.signature(at: jws.onlyIndex())
        guard !jws.isDetached else { throw JOSEError(.missingPayload, "a token carries its claims", path: ["JWT"]) }
        guard signature.encodesPayload else {
            throw JOSEError(.invalidHeader, "a token's payload is encoded", path: ["JWT", "b64"])
        }
        self.jws = jws
        self.encryption = encryption
    }

    /// Reads a token in the compact serialization.
    ///
    /// - Throws: As for an object, and the errors of reading the object; ``JOSEError/Code/wrongKind`` for an encrypted
    ///   token.
    public init(compact text: some StringProtocol, limits: JOSELimits = .default) throws(JOSEError) {
        try self.init(JWS(compact: text, limits: limits))
    }

    /// Reads a token in the compact serialization.
    ///
    /// - Throws: As for a string.
    public init(compact text: some Collection<UInt8>, limits: JOSELimits = .default) throws(JOSEError) {
        let text = Array(text)
        try self.init(JWS(compact: text, limits: limits))
    }

    /// Signs claims.
    ///
    /// - Parameters:
    ///   - claims: The claims.
    ///   - header: The header; where it names no algorithm, the signer's is put at its start.
    ///   - signer: The key, wherever it lives. For a signature in two steps, sign `claims.encoded()` with
    ///     ``JWS/Unsigned``.
    /// - Throws: As for a JWS.
    public static func sign(
        _ claims: JWTClaims,
        header: JOSEHeader = JOSEHeader(type: "JWT"),
        with signer: any Signer
    ) async throws(JOSEError) -> JWT {
        try JWT(await JWS.sign(claims.encoded(), header: header, with: signer))
    }

    /// The unverified header, for finding the key.
    public func unverifiedHeader() throws(JOSEError) -> JOSEHeader {
        try jws.unverifiedHeader()
    }

    /// The unverified issuer (`iss`), for finding the key; nil for an absent claim.
    ///
    /// Nothing of it is verified.
    ///
    /// - Throws: ``JOSEError/Code/invalidClaim``, and the errors of reading a claims set.
    public func unverifiedIssuer(limits: JOSELimits = .default) throws(JOSEError) -> String? {
        try within("JWT") { () throws(JOSEError) in
            try JWTClaims(decoding: jws.unverifiedPayload ?? [], limits: limits).issuer()
        }
    }

    /// The compact serialization, as received or made.
    ///
    /// - Throws: ``JOSEError/Code/notSerializable`` for an unprotected header.
    public func compactSerialization() throws(JOSEError) -> String {
        try jws.compactSerialization()
    }
}
