import CryptoCore
import JSONKit

/// The members that name certificates, of headers and of keys alike: `x5c`, `x5t` and `x5t#S256` (RFC 7515, sections 4.1.6
/// to 4.1.8; RFC 7517, sections 4.7 to 4.9).
enum CertificateMembers {
    /// The certificates in DER (`x5c`), or nil if the member is absent.
    static func chain(in members: JSONObject, limits: JOSELimits) throws(JOSEError) -> [[UInt8]]? {
        guard let value = members["x5c"] else { return nil }
        guard let elements = value.arrayValue, !elements.isEmpty else { throw .expected("a list", at: "x5c") }
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
                throw .expected("a list of base64 texts", at: "x5c")
            }
            do {
                chain.append(try JSONBase64.base64.decode(text))
            } catch {
                throw .expected("a list of base64 texts", at: "x5c", cause: error)
            }
        }
        return chain
    }

    /// The value of `x5c` for certificates in DER.
    static func value(of chain: [[UInt8]]) -> JSONValue {
        .array(chain.map { .string(JSONBase64.base64.encode($0)) })
    }

    /// The digest of a certificate (`x5t`, `x5t#S256`), or nil if the member is absent.
    static func thumbprint(
        _ name: String,
        _ hash: HashAlgorithm,
        in members: JSONObject
    ) throws(JOSEError) -> [UInt8]? {
        guard let value = members[name] else { return nil }
        guard let text = value.stringValue else { throw .expected("a string", at: name) }
        let digest = try within(name) { () throws(JOSEError) in try Base64URL.decode(text) }
        guard digest.count == hash.digestSize else { throw .expected("a digest", at: name) }
        return digest
    }

    /// Refuses a certificate other than that of the thumbprints, if there are any.
    static func requireThumbprints(of certificate: Certificate, in members: JSONObject) throws(JOSEError) {
        if let thumbprint = try thumbprint("x5t#S256", .sha256, in: members), thumbprint != certificate.fingerprint {
            throw JOSEError(.certificateMismatch, "the thumbprint is of another certificate", path: ["x5t#S256"])
        }
        if let thumbprint = try thumbprint("x5t", .sha1, in: members) {
            guard thumbprint == HashAlgorithm.sha1.digest(of: certificate.derBytes) else {
                throw JOSEError(.certificateMismatch, "the thumbprint is of another certificate", path: ["x5t"])
            }
        }
    }
}
