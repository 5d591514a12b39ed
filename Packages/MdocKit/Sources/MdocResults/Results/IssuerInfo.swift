import CryptoCore
public import MdocKit

/// The trusted issuer of a credential.
public struct IssuerInfo: Hashable, Sendable {
    /// The common name of the trusted issuer's certificate (IACA); nil if that has none.
    public let commonName: String?
    /// The identifier of the trusted issuer, `TrustAnchor.id`.
    public let trustedIssuerId: String
    /// The identifier of the trusted issuer, by the name that it has in proximity results.
    public var trustedIssuerCertificateId: String { trustedIssuerId }

    /// Names an issuer.
    public init(commonName: String?, trustedIssuerId: String) {
        self.commonName = commonName
        self.trustedIssuerId = trustedIssuerId
    }

    /// Names the issuer that a verifier trusts.
    public init(_ anchor: TrustAnchor) {
        self.init(commonName: anchor.certificate.subject.commonName, trustedIssuerId: anchor.id)
    }
}

extension IssuerInfo: Codable {
    private enum CodingKeys: String, CodingKey {
        case commonName, trustedIssuerId, trustedIssuerCertificateId
    }

    /// Reads the structure; the identifier may also be called `trustedIssuerCertificateId`, as in proximity results.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let certificateIdentifier = try container.decodeIfPresent(String.self, forKey: .trustedIssuerCertificateId)
        let identifier = try container.decodeIfPresent(String.self, forKey: .trustedIssuerId)
        if let identifier, let certificateIdentifier, identifier != certificateIdentifier {
            throw DecodingError.dataCorruptedError(
                forKey: .trustedIssuerCertificateId,
                in: container,
                debugDescription: "the issuer has two identifiers"
            )
        }
        self.init(
            commonName: try container.decodeIfPresent(String.self, forKey: .commonName),
            trustedIssuerId: try identifier ?? certificateIdentifier
                ?? container.decode(String.self, forKey: .trustedIssuerId)
        )
    }

    /// Writes the structure, the identifier as `trustedIssuerId`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(commonName, forKey: .commonName)
        try container.encode(trustedIssuerId, forKey: .trustedIssuerId)
    }
}
