public import VerificationCore

// The reasons of documents, lists and readers that no other format has.
extension Reason {
    /// A zero-knowledge proof does not hold for the elements, or for this session.
    public static let invalidZeroKnowledgeProof: Reason = "invalidZeroKnowledgeProof"
    /// The issuer's certificate is malformed, breaks its profile, is outside its validity or revoked, or its signature is wrong.
    public static let invalidSignerCertificate: Reason = "invalidSignerCertificate"
    /// The trust anchor is past its validity.
    public static let trustAnchorExpired: Reason = "trustAnchorExpired"
    /// The trust anchor is before its validity.
    public static let trustAnchorNotYetValid: Reason = "trustAnchorNotYetValid"
    /// The issuer signed while its certificate was not valid, or for a longer period than that of its certificate.
    public static let invalidSigningTime: Reason = "invalidSigningTime"
    /// Duplicate element.
    public static let duplicateElement: Reason = "duplicateElement"
    /// The device key is malformed, or not the one that was asked for.
    public static let invalidDeviceKey: Reason = "invalidDeviceKey"
    /// The device key is not authorized for the elements that it signed.
    public static let deviceKeyNotAuthorized: Reason = "deviceKeyNotAuthorized"
    /// The country or jurisdiction differs from that in the issuer's certificate.
    public static let issuingCountryMismatch: Reason = "issuingCountryMismatch"

    /// The wallet reports that processing failed.
    public static let processingFailed: Reason = "processingFailed"
    /// The response has no documents.
    public static let noDocuments: Reason = "noDocuments"

    /// The next issue of a list is overdue.
    public static let updateOverdue: Reason = "updateOverdue"
    /// The list is older than the one that was accepted last.
    public static let superseded: Reason = "superseded"

    /// A reader's signature does not verify.
    public static let invalidReaderSignature: Reason = "invalidReaderSignature"
    /// The reader's certificate is malformed, breaks its profile, is outside its validity, or its signature is wrong.
    public static let invalidReaderCertificate: Reason = "invalidReaderCertificate"
    /// No trust anchor stands behind the reader's certificate.
    public static let readerNotTrusted: Reason = "readerNotTrusted"
}
