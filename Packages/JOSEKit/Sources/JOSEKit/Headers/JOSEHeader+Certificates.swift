public import CryptoCore

extension JOSEHeader {
    /// The certificate chain in DER, the signer's certificate first (`x5c`, RFC 7515, section 4.1.6), or nil.
    ///
    /// The chain is an unverified claim of the header's author: its key may be used once a `CertificatePathValidator`
    /// of CryptoCore accepts it.
    ///
    /// - Throws: ``JOSEError/Code/invalidHeader`` for anything but a list of base64 texts that is not empty,
    ///   ``JOSEError/Code/limitExceeded`` for too many.
    public func certificateChain(
        limits: JOSELimits = .default
    ) throws(JOSEError) -> [[UInt8]]? {
        try CertificateMembers.chain(in: members, limits: limits)
    }

    /// The SHA-256 digest of the signer's certificate (`x5t#S256`, RFC 7515, section 4.1.8), or nil if it is absent.
    public func certificateThumbprint() throws(JOSEError) -> [UInt8]? {
        try CertificateMembers.thumbprint("x5t#S256", .sha256, in: members)
    }

    /// The SHA-1 digest of the signer's certificate (`x5t`, RFC 7515, section 4.1.7), or nil if it is absent.
    public func certificateSHA1Thumbprint() throws(JOSEError) -> [UInt8]? {
        try CertificateMembers.thumbprint("x5t", .sha1, in: members)
    }

    /// Puts certificates in DER, the signer's first, into `x5c`.
    public mutating func setCertificateChain(_ chain: [[UInt8]]) {
        self["x5c"] = CertificateMembers.value(of: chain)
    }

    /// Refuses a certificate other than that of the thumbprints in the header (`x5t`, `x5t#S256`), if there are any.
    ///
    /// - Throws: ``JOSEError/Code/certificateMismatch``; ``JOSEError/Code/invalidHeader`` for a malformed thumbprint.
    public func requireThumbprints(of certificate: Certificate) throws(JOSEError) {
        try CertificateMembers.requireThumbprints(of: certificate, in: members)
    }
}
