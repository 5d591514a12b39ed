import CryptoCore
public import JSONKit

extension JWK {
    /// Reads a key from a JSON text.
    ///
    /// - Throws: As ``init(json:limits:)``; ``JOSEError/Code/malformed``, ``JOSEError/Code/duplicateMember`` and
    ///   ``JOSEError/Code/limitExceeded`` for the text itself.
    public init(decoding text: some Collection<UInt8>, limits: JOSELimits = .default) throws(JOSEError) {
        let value = try within("JWK") { () throws(JOSEError) in
            try reading { () throws(JSONError) in try JSONValue(parsing: text, limits: limits.json) }
        }
        try self.init(json: value, limits: limits)
    }

    /// Reads a key from a JSON text.
    ///
    /// - Throws: As for a text in bytes.
    public init(decoding text: some StringProtocol, limits: JOSELimits = .default) throws(JOSEError) {
        try self.init(decoding: Array(text.utf8), limits: limits)
    }

    /// Takes a key from a JSON value; members that this library does not know are kept.
    ///
    /// - Throws: ``JOSEError/Code/unsupportedKey`` for a type or curve that is not implemented,
    ///   ``JOSEError/Code/invalidKey`` for members that are not a key: one that is missing or has another width, a
    ///   point off the curve, a modulus that is too short, a private part that does not belong to the public one,
    ///   ``JOSEError/Code/publicKeyAsSecret``, ``JOSEError/Code/certificateMismatch``.
    public init(json value: JSONValue, limits: JOSELimits = .default) throws(JOSEError) {
        self = try within("JWK") { () throws(JOSEError) in
            guard let members = value.objectValue else { throw JOSEError(.malformed, "a key is a JSON object") }
            return try JWK(members: members, limits: limits)
        }
    }

    private init(members: JSONObject, limits: JOSELimits) throws(JOSEError) {
        let attributes = try JWKAttributes(members, limits: limits)
        let material = try JWKMaterialReader(members: members).material(attributes.keyType)
        var open = members
        for name in JWKMembers.secret where open.contains(name) { open[name] = nil }
        self.init(material: material, members: open, attributes: attributes)
        try requireCertificate()
    }

    /// Checks that the first certificate, if there is one, is the key's, and that the thumbprints are the certificate's
    /// (RFC 7517, sections 4.7 to 4.9).
    private func requireCertificate() throws(JOSEError) {
        guard let der = certificateChain?.first else { return }
        let certificate: Certificate
        let certified: PublicKey
        do {
            certificate = try Certificate(der: der)
            certified = try certificate.publicKey()
        } catch {
            throw JOSEError(.invalidKey, "the first certificate cannot be read", path: ["x5c"], cause: error)
        }
        guard try publicPart() == certified else {
            throw JOSEError(.certificateMismatch, "the first certificate is of another key", path: ["x5c"])
        }
        try CertificateMembers.requireThumbprints(of: certificate, in: members)
    }
}
