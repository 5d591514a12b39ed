import MdocKit

extension FailureReason {
    /// The reason in a sentence without its end, for the people who see the result; what was found is in
    /// the refusal's message.
    public var sentence: String { Self.sentences[self] ?? "Credential could not be verified" }

    private static let sentences: [FailureReason: String] = [
        .deviceKeyInvalid: "Device key is malformed or signed data that it is not authorized to sign",
        .invalidSignerCertificate: "Certificate of the credential's issuer is not valid",
        .issuerNotTrusted: "Issuer of the credential is not trusted",
        .mobileCredentialExpired: "Credential has expired",
        .mobileCredentialNotYetValid: "Credential is not yet valid",
        .mobileCredentialInvalid: "Credential is not valid",
        .statusRevoked: "Credential has been revoked",
        .statusSuspended: "Credential has been suspended",
        .statusUnknown: "Status of the credential is not known",
        .trustedIssuerCertificateExpired: "Certificate of the trusted issuer has expired",
        .trustedIssuerCertificateNotYetValid: "Certificate of the trusted issuer is not yet valid",
        .unsupportedCurve: "Credential uses a key or algorithm that is not supported",
        .readerAuthenticationInvalid: "Signature of the reader is not valid",
        .invalidReaderCertificate: "Certificate of the reader is not valid",
        .readerNotTrusted: "Reader is not trusted",
    ]
}

extension FailureReason: Codable {}
