public import CryptoCore
import MdocKit

/// The role of a certificate in ISO/IEC 18013-5, which decides its profile (Annex B, C.1.7.2, F.3.5).
///
/// ```swift
/// let report = MdocCertificateRole.documentSigner.report(on: certificate, issuer: iaca)
/// for deviation in report.deviations { print(deviation) }
/// ```
public enum MdocCertificateRole: String, CaseIterable, Hashable, Sendable {
    /// The root of an issuing authority.
    case iaca
    /// A document signer.
    case documentSigner = "document-signer"
    /// An mdoc reader.
    case reader
    /// The signer of a VICAL.
    case vicalSigner = "vical-signer"
    /// The signer of a RICAL (second edition).
    case ricalSigner = "rical-signer"
    /// The signer of a status list or identifier list (second edition).
    case statusListSigner = "status-list-signer"

    /// The role that a certificate claims: by its extended key usage, or as a certificate authority.
    ///
    /// Nil for a certificate that claims no role. The signers of RICALs, status lists and identifier lists cannot be
    /// recognized, as long as no number of id-kp-oauthStatusSigning is assigned.
    public init?(claimedBy certificate: Certificate) {
        let purposes = certificate.extendedKeyUsage?.purposes ?? []
        let roles: [(MdocCertificateRole, [OID])] = [
            (.documentSigner, [.mdlDocumentSigner, .mdocDocumentSigner]),
            (.reader, [.mdlReaderAuthentication, .mdocReaderAuthentication]),
            (.vicalSigner, [.mdlVICALSigner, .mdocVICALSigner]),
        ]
        if let (role, _) = roles.first(where: { $0.1.contains(where: purposes.contains) }) {
            self = role
        } else if certificate.basicConstraints?.isCertificateAuthority == true {
            self = .iaca
        } else {
            return nil
        }
    }

    /// The profile by which a path with a certificate of this role is validated.
    var profile: CertificateProfile {
        switch self {
        case .iaca: .iacaRoot
        case .documentSigner: .mdocDocumentSigner
        case .reader: .mdocReader
        case .vicalSigner: .vicalSigner
        case .ricalSigner: .ricalSigner
        case .statusListSigner: .statusListSigner
        }
    }
}
