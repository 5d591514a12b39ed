public import CryptoCore
import JSONKit

extension JWK {
    /// A public key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - keyID: Its identifier (`kid`).
    ///   - use: The intended use of the key (`use`).
    ///   - algorithm: The only algorithm that it is for (`alg`).
    /// - Throws: ``JOSEError/Code/unsupportedKey`` for a curve that JOSE has no name for.
    public init(
        _ key: PublicKey,
        keyID: String? = nil,
        use: JWKUse? = nil,
        algorithm: String? = nil
    ) throws(JOSEError) {
        let attributes = JWKAttributes(keyType: try key.jwkType, keyID: keyID, use: use, algorithm: algorithm)
        self.init(
            material: .publicKey(key),
            members: attributes.members(around: key.jwkMembers),
            attributes: attributes
        )
    }

    /// A private key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - keyID: Its identifier (`kid`).
    ///   - use: The intended use of the key (`use`).
    ///   - algorithm: The only algorithm that it is for (`alg`).
    /// - Throws: ``JOSEError/Code/unsupportedKey`` for a curve that JOSE has no name for.
    public init(
        _ key: PrivateKey,
        keyID: String? = nil,
        use: JWKUse? = nil,
        algorithm: String? = nil
    ) throws(JOSEError) {
        let open = try JWK(key.publicKey, keyID: keyID, use: use, algorithm: algorithm)
        self.init(material: .privateKey(key), members: open.members, attributes: open.attributes)
    }

    /// A symmetric key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - keyID: Its identifier (`kid`).
    ///   - use: The intended use of the key (`use`).
    ///   - algorithm: The only algorithm that it is for (`alg`).
    /// - Throws: ``JOSEError/Code/publicKeyAsSecret``.
    public init(
        symmetric key: SecretBytes,
        keyID: String? = nil,
        use: JWKUse? = nil,
        algorithm: String? = nil
    ) throws(JOSEError) {
        try PublicKeyEncodings.refuse(key, at: "k")
        let attributes = JWKAttributes(keyType: .oct, keyID: keyID, use: use, algorithm: algorithm)
        self.init(material: .symmetric(key), members: attributes.members(around: []), attributes: attributes)
    }

    /// A key from PEM: a public or private key, or a certificate, which is put into `x5c`.
    ///
    /// - Throws: ``JOSEError/Code/invalidKey`` for any other text.
    public init(pem: some StringProtocol) throws(JOSEError) {
        // OpenSSL can write parameters before a key, so the last label counts.
        switch try Self.readingPEM({ () throws(CryptoError) in try PEM.all(in: pem).last?.label }) {
        case "PUBLIC KEY", "RSA PUBLIC KEY":
            try self.init(Self.readingPEM { () throws(CryptoError) in try PublicKey(pem: pem) })
        case "CERTIFICATE":
            try self.init(certificate: Self.readingPEM { () throws(CryptoError) in try Certificate(pem: pem) })
        default: try self.init(Self.readingPEM { () throws(CryptoError) in try PrivateKey(pem: pem) })
        }
    }

    /// A key from DER: SubjectPublicKeyInfo, PKCS #8, or a certificate, which is put into `x5c`.
    ///
    /// The caller wipes the bytes of a private key.
    /// - Throws: ``JOSEError/Code/invalidKey`` for any other bytes.
    public init(der: some Collection<UInt8>) throws(JOSEError) {
        let der = Array(der)
        var reasons: [String] = []
        func attempt<Value>(_ form: String, _ read: () throws(CryptoError) -> Value) -> Value? {
            do throws(CryptoError) {
                return try read()
            } catch {
                reasons.append("as \(form): \(error)")
                return nil
            }
        }
        if let key = attempt(
            "SubjectPublicKeyInfo",
            { () throws(CryptoError) in
                try PublicKey(subjectPublicKeyInfo: der)
            }
        ) {
            try self.init(key)
        } else if let certificate = attempt("Certificate", { () throws(CryptoError) in try Certificate(der: der) }) {
            try self.init(certificate: certificate)
        } else if let key = attempt("PKCS #8", { () throws(CryptoError) in try PrivateKey(pkcs8: der) }) {
            try self.init(key)
        } else {
            let all = reasons.joined(separator: "; ")
            throw JOSEError(.invalidKey, "the bytes are no key in DER: \(all)", path: ["DER"])
        }
    }

    private static func readingPEM<Value>(_ read: () throws(CryptoError) -> Value) throws(JOSEError) -> Value {
        do {
            return try read()
        } catch {
            throw JOSEError(.invalidKey, "the text is no key in PEM", path: ["PEM"], cause: error)
        }
    }

    /// The key of a certificate, with the certificate in `x5c` and its digest in `x5t#S256`.
    ///
    /// - Throws: ``JOSEError/Code/invalidKey`` for a key that cannot be read, ``JOSEError/Code/unsupportedKey``.
    public init(certificate: Certificate) throws(JOSEError) {
        let key: PublicKey
        do {
            key = try certificate.publicKey()
        } catch {
            throw JOSEError(.invalidKey, "the certificate's key cannot be read", path: ["x5c"], cause: error)
        }
        let plain = try JWK(key)
        var members = plain.members
        members["x5c"] = CertificateMembers.value(of: [certificate.derBytes])
        members["x5t#S256"] = .string(Base64URL.encode(certificate.fingerprint))
        var attributes = plain.attributes
        attributes.certificateChain = [certificate.derBytes]
        self.init(material: .publicKey(key), members: members, attributes: attributes)
    }

    /// The public part alone, with the key's attributes; nil for a symmetric key.
    ///
    /// The operations of a private key (`key_ops`) become those of its public key: `verify` for `sign`, `encrypt` for `decrypt`,
    /// `wrapKey` for `unwrapKey`. Those of a key agreement are left out, in which a public key does nothing. A key for nothing else
    /// is for encryption (`use`).
    public var publicJWK: JWK? {
        guard let key = openPart else { return nil }
        var (members, attributes) = (members, attributes)
        if isSecret, let own = attributes.keyOperations {
            let open = Set(own.compactMap(\.ofPublicKey))
            if open.isEmpty, !own.isEmpty {
                (members["key_ops"], members["use"]) = (nil, .string(JWKUse.encryption.rawValue))
                (attributes.keyOperations, attributes.use) = (nil, .encryption)
            } else if open != own {
                members["key_ops"] = .array(open.map(\.rawValue).sorted().map { .string($0) })
                attributes.keyOperations = open
            }
        }
        return JWK(material: .publicKey(key), members: members, attributes: attributes)
    }

    /// The same key with another identifier, use and algorithm; its other members are kept.
    ///
    /// - Parameters:
    ///   - keyID: The identifier (`kid`); nil for none.
    ///   - use: The intended use of the key (`use`).
    ///   - algorithm: The only algorithm that it is for (`alg`).
    @_spi(Layers) public func with(keyID: String?, use: JWKUse, algorithm: String) -> JWK {
        var (members, attributes) = (members, attributes)
        members["kid"] = keyID.map { .string($0) }
        members["use"] = .string(use.rawValue)
        members["alg"] = .string(algorithm)
        (attributes.keyID, attributes.use, attributes.algorithm) = (keyID, use, algorithm)
        return JWK(material: material, members: members, attributes: attributes)
    }
}
