import CryptoCore

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
