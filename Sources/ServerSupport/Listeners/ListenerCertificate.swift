#if Server
package import CredentialServingHummingbird

/// The certificate of a listener, with the name of its setting.
package struct ListenerCertificate: Sendable {
    /// The name of the setting, such as `tls_cert`.
    package let name: String
    /// The certificate.
    package let certificate: ServerCertificate
    /// Indicates that the certificate or its private key is in a file, which can be replaced while the server runs.
    package let isInFile: Bool

    /// Names a certificate.
    package init(name: String, certificate: ServerCertificate, isInFile: Bool) {
        self.name = name
        self.certificate = certificate
        self.isInFile = isInFile
    }
}
#endif
