public import CryptoCore
import MdocKit

extension MdocCertificateRole {
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

    /// The profile with what the standard demands and validation leaves to the issuer.
    private func lintProfile(issuer: Certificate?) -> CertificateProfile {
        var profile = profile
        profile.requiresAssignedCountry = true
        // Of the two arcs of purposes one is mandatory and the other recommended.
        profile.purposes?.subtract([.mdocDocumentSigner, .mdocReaderAuthentication, .mdocVICALSigner])
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
