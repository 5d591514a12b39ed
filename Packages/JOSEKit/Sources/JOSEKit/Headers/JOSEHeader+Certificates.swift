public import CryptoCore
import JSONKit

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
        try self["x5c"].map { value throws(JOSEError) in try Self.certificateChain(value, limits: limits) }
    }

    /// The SHA-256 digest of the signer's certificate (`x5t#S256`, RFC 7515, section 4.1.8), or nil if it is absent.
    public func certificateThumbprint() throws(JOSEError) -> [UInt8]? {
        guard let digest = try bytes("x5t#S256") else { return nil }
        guard digest.count == HashAlgorithm.sha256.digestSize else { throw Self.expected("a digest", at: "x5t#S256") }
        return digest
    }

    /// The SHA-1 digest of the signer's certificate (`x5t`, RFC 7515, section 4.1.7), or nil if it is absent.
    public func certificateSHA1Thumbprint() throws(JOSEError) -> [UInt8]? {
        guard let digest = try bytes("x5t") else { return nil }
        guard digest.count == HashAlgorithm.sha1.digestSize else { throw Self.expected("a digest", at: "x5t") }
        return digest
    }

    /// Puts certificates in DER, the signer's first, into `x5c`.
    public mutating func setCertificateChain(_ chain: [[UInt8]]) {
        self["x5c"] = .array(chain.map { .string(JSONBase64.base64.encode($0)) })
    }

    static func certificateChain(_ value: JSONValue, limits: JOSELimits) throws(JOSEError) -> [[UInt8]] {
        guard let elements = value.arrayValue, !elements.isEmpty else { throw expected("a list", at: "x5c") }
        guard elements.count <= limits.certificates else {
            throw JOSEError(
                .limitExceeded,
                "\(elements.count) certificates, over \(limits.certificates)",
                path: ["x5c"]
            )
        }
        var chain: [[UInt8]] = []
        for element in elements {
            // Not base64url: section 4.1.6 says so.
            guard let text = element.stringValue, !text.isEmpty else {
                throw expected("a list of base64 texts", at: "x5c")
            }
            do {
                chain.append(try JSONBase64.base64.decode(text))
            } catch {
                throw expected("a list of base64 texts", at: "x5c", cause: error)
            }
        }
        return chain
    }

    /// Refuses a certificate other than that of the thumbprints in the header (`x5t`, `x5t#S256`), if there are any.
    ///
    /// - Throws: ``JOSEError/Code/certificateMismatch``; ``JOSEError/Code/invalidHeader`` for a malformed thumbprint.
    public func requireThumbprints(of certificate: Certificate) throws(JOSEError) {
        if let thumbprint = try certificateThumbprint(), thumbprint != certificate.fingerprint {
            throw JOSEError(.certificateMismatch, "the thumbprint is of another certificate", path: ["x5t#S256"])
        }
        if let thumbprint = try certificateSHA1Thumbprint() {
            guard thumbprint == HashAlgorithm.sha1.digest(of: certificate.derBytes) else {
                throw JOSEError(.certificateMismatch, "the thumbprint is of another certificate", path: ["x5t"])
            }
        }
    }
}
