extension Certificate {
    /// The bits of the subject's public key: for elliptic curves the encoded point.
    var subjectPublicKey: ArraySlice<UInt8> { storage.bytes[storage.fields.subjectPublicKey] }

    /// The algorithm of the certificate's own signature, or nil for one that this module does not know.
    public var signatureAlgorithm: SignatureAlgorithm? {
        SignatureAlgorithm(algorithmIdentifier: storage.bytes[storage.fields.signatureAlgorithm])
    }

    /// The AlgorithmIdentifier of the certificate's own signature as received, parameters included.
    public var signatureAlgorithmIdentifier: ArraySlice<UInt8> { storage.bytes[storage.fields.signatureAlgorithm] }

    /// The certificate's own signature: for ECDSA the DER of `ECDSA-Sig-Value`.
    public var signature: ArraySlice<UInt8> { storage.bytes[storage.fields.signature] }

    /// The subject's key, imported when first asked for and then kept.
    ///
    /// - Parameter options: Indicates that an RSA key may be shorter than 2048 bits.
    /// - Throws: ``CryptoError`` for a key of an unknown kind or an invalid key: a point off the curve, an RSA key out
    ///   of its bounds.
    public func publicKey(options: KeyImportOptions = []) throws(CryptoError) -> PublicKey {
        try storage.publicKey(options: options)
    }

    /// Returns `true` if a key signed this certificate; `false` too for an unknown algorithm or one that does not fit
    /// the key.
    ///
    /// Only the signature is checked: not the names, the dates, or the key's right to sign certificates.
    public func isSigned(by key: PublicKey) -> Bool {
        guard let signatureAlgorithm, signatureAlgorithm.supports(key) else { return false }
        return key.isValidSignature(signature, for: tbsCertificateBytes, algorithm: signatureAlgorithm, format: .der)
    }

    /// SHA-256 over the whole encoding: the value of `x5t#S256` and, for a leaf, of the prefix `x509_hash`.
    public var fingerprint: [UInt8] { HashAlgorithm.sha256.digest(of: storage.bytes) }

    /// SHA-1 over the bits of the subject's public key: the usual key identifier (RFC 5280, 4.2.1.2, method 1).
    public var computedKeyIdentifier: [UInt8] {
        HashAlgorithm.sha1.digest(of: subjectPublicKey)
    }
}
