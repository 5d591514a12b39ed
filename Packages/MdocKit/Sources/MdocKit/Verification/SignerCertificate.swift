import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The fields of the document signer's certificate that the checks need.
struct SignerCertificate {
    /// Country and state of the subject.
    let locality: CertificateLocality
    /// The first second at which the certificate is valid.
    let notValidBefore: Date
    /// The last second at which the certificate is valid.
    let notValidAfter: Date

    init(_ certificate: Certificate) {
        locality = CertificateLocality(certificate)
        notValidBefore = certificate.notValidBefore
        notValidAfter = certificate.notValidAfter
    }

    /// Returns `true` if a time lies in the validity period, its last second included.
    func isValid(at time: Date) -> Bool {
        notValidBefore <= time && time.timeIntervalSince(notValidAfter) < 1
    }
}

/// Country and state of a certificate's subject, taken out of it once.
struct CertificateLocality {
    /// The first countryName.
    let country: String?
    /// The first stateOrProvinceName.
    let state: String?

    init(_ certificate: Certificate) {
        let subject = certificate.subject
        country = subject.countryName
        state = subject.stateOrProvinceName
    }
}
