import MdocKit
public import VerificationCore

/// The reason that a credential or a reader is refused, in the terms of relying parties; an open set.
///
/// Each credential has one reason, which follows from that of its refusal.
public struct FailureReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name, such as `MobileCredentialExpired`.
    public let rawValue: String

    /// Wraps a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The name that relying parties know for a reason of the verification; `MobileCredentialInvalid` for one that has none
    /// of its own, such as a user's.
    public init(_ reason: Reason) {
        self = Self.names[reason] ?? .mobileCredentialInvalid
    }

    private static let names: [Reason: FailureReason] = [
        .algorithmNotAllowed: .unsupportedCurve,
        .invalidSignerCertificate: .invalidSignerCertificate,
        .issuerNotTrusted: .issuerNotTrusted,
        .trustAnchorExpired: .trustedIssuerCertificateExpired,
        .trustAnchorNotYetValid: .trustedIssuerCertificateNotYetValid,
        .expired: .mobileCredentialExpired,
        .notYetValid: .mobileCredentialNotYetValid,
        .invalidDeviceKey: .deviceKeyInvalid,
        .deviceKeyNotAuthorized: .deviceKeyInvalid,
        .revoked: .statusRevoked,
        .suspended: .statusSuspended,
        .statusUnknown: .statusUnknown,
        .invalidReaderSignature: .readerAuthenticationInvalid,
        .invalidReaderCertificate: .invalidReaderCertificate,
        .readerNotTrusted: .readerNotTrusted,
    ]

    /// The name.
    public var description: String { rawValue }

    /// The device key is malformed, or signed an element that it is not authorized to sign.
    public static let deviceKeyInvalid = FailureReason(rawValue: "DeviceKeyInvalid")
    /// The issuer's certificate is malformed, breaks its profile, is outside its validity, or its signature is wrong.
    public static let invalidSignerCertificate = FailureReason(rawValue: "InvalidSignerCertificate")
    /// No trust anchor stands behind the issuer's certificate for this type of document.
    public static let issuerNotTrusted = FailureReason(rawValue: "IssuerNotTrusted")
    /// The credential is past its `validUntil`.
    public static let mobileCredentialExpired = FailureReason(rawValue: "MobileCredentialExpired")
    /// The credential is before its `validFrom`.
    public static let mobileCredentialNotYetValid = FailureReason(rawValue: "MobileCredentialNotYetValid")
    /// The structure, a digest, a signature or MAC, or the document type is wrong.
    public static let mobileCredentialInvalid = FailureReason(rawValue: "MobileCredentialInvalid")
    /// The credential is revoked for good.
    public static let statusRevoked = FailureReason(rawValue: "StatusRevoked")
    /// The credential is suspended for now.
    public static let statusSuspended = FailureReason(rawValue: "StatusSuspended")
    /// Indicates that the credential is revoked could not be learnt.
    public static let statusUnknown = FailureReason(rawValue: "StatusUnknown")
    /// The trust anchor is past its validity.
    public static let trustedIssuerCertificateExpired = FailureReason(rawValue: "TrustedIssuerCertificateExpired")
    /// The trust anchor is before its validity.
    public static let trustedIssuerCertificateNotYetValid =
        FailureReason(rawValue: "TrustedIssuerCertificateNotYetValid")
    /// A key or algorithm that the standard does not name, or that does not go with the other.
    public static let unsupportedCurve = FailureReason(rawValue: "UnsupportedCurve")

    /// A reader's signature is wrong.
    public static let readerAuthenticationInvalid = FailureReason(rawValue: "ReaderAuthenticationInvalid")
    /// The reader's certificate is malformed, breaks its profile, is outside its validity, or its signature is wrong.
    public static let invalidReaderCertificate = FailureReason(rawValue: "InvalidReaderCertificate")
    /// No trust anchor stands behind the reader's certificate.
    public static let readerNotTrusted = FailureReason(rawValue: "ReaderNotTrusted")
}

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
