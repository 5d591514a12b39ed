import CryptoCore
import Foundation

extension FuzzTarget {
    /// The parsers of CryptoCore's certificates.
    package static let certificates = [
        FuzzTarget(name: "certificate") { bytes in
            let certificate = try Certificate(der: bytes)
            require(certificate.derBytes == bytes, "the encoding is kept")
            require(try Certificate(pem: certificate.pem) == certificate, "PEM reads back")
            _ = CertificateProfile.mdocDocumentSigner.deviations(of: certificate, issuer: certificate)
            _ = try? certificate.subjectAlternativeName
            _ = try? certificate.issuerAlternativeName
            _ = try? certificate.crlDistributionPoints
            _ = try? certificate.policyMappings
            _ = try? certificate.nameConstraints
            _ = try? certificate.certificatePolicies
            let time = certificate.notValidBefore
            var policy = CertificatePathPolicy()
            policy.acceptsTrustedLeaf = true
            let validator = CertificatePathValidator(anchors: [certificate], policy: policy)
            let result = validator.validate([certificate], at: time)
            require(result.verified.map { $0.leaf == certificate } ?? true, "a chain has its own leaf")
        },
        FuzzTarget(name: "distinguished-name") { bytes in
            let name = try DistinguishedName(der: bytes)
            require(name.matches(name), "a name is itself")
            require(Array(name.encodedBytes) == bytes, "the encoding is kept")
            _ = name.description
        },
        FuzzTarget(name: "revocation-list") { bytes in
            let list = try CertificateRevocationList(der: bytes)
            require(list.revokedCertificates.count == list.count, "every entry is read")
            _ = RevocationListProfile.iaca.deviations(of: list)
        },
    ]
}
