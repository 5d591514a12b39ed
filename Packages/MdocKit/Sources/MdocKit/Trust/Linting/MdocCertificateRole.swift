public import CryptoCore

/// What a certificate is for in ISO/IEC 18013-5, and so which profile it has to keep (Annex B, C.1.7.2, F.3.5).
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
    /// Nil where it claims none: the signers of RICALs, status lists and identifier lists have nothing that tells them
    /// from others.
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

    /// Everything in which a certificate departs from the profile of this role, with advice beyond it.
    ///
    /// This says more than verification does, which lets some departures pass and knows no advice.
    ///
    /// - Parameters:
    ///   - certificate: The certificate to look at.
    ///   - issuer: The certificate of its issuer, for the rules that compare the two and for the signature; those are
    ///     left out where it is nil. A root is its own issuer.
    public func report(on certificate: Certificate, issuer: Certificate? = nil) -> MdocCertificateReport {
        var profile = lintProfile(issuer: issuer)
        // A root's signature is its own; of others nothing can be said without the issuer.
        profile.requiresIssuersSignature = issuer != nil || self == .iaca
        return MdocCertificateReport(
            role: self,
            deviations: profile.deviations(of: certificate, issuer: issuer),
            advice: MdocCertificateAdvice.all(on: certificate, as: self)
        )
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

    /// The profile with what the standard demands and validation leaves to the issuer.
    private func lintProfile(issuer: Certificate?) -> CertificateProfile {
        var profile = profile
        profile.requiresAssignedCountry = true
        // Of the two arcs of purposes one is mandatory and the other recommended.
        profile.purposes.subtract([.mdocDocumentSigner, .mdocReaderAuthentication, .mdocVICALSigner])
        guard self != .iaca, let issuer, Self.isIACA(issuer) else { return profile }
        // Whatever an IACA issues is for its country and state, and a reader's certificate names a contact then.
        profile.requiresIssuersCountry = true
        if self == .reader { profile.requiredExtensions.insert(.issuerAlternativeName) }
        return profile
    }

    private static func isIACA(_ certificate: Certificate) -> Bool {
        CertificateProfile.iacaRoot.deviations(of: certificate)
            .allSatisfy { CertificatePathPolicy.harmlessDeviations.contains($0.kind) }
    }
}
