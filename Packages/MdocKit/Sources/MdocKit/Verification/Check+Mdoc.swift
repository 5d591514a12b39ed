import CryptoCore
public import VerificationCore

// The checks of documents, lists and readers that no other format has.
extension Check {
    /// The issuer's certificate is well formed and fits the profile of a document signer.
    public static let signerCertificate: Check = "signerCertificate"
    /// Country and state are the same in the certificates of trust anchor and issuer.
    public static let issuerLocality: Check = "issuerLocality"
    /// The issuer's certificate is not revoked.
    public static let signerRevocation: Check = "signerRevocation"
    /// The trust anchor is meant for documents of this type.
    public static let trustedForDocType: Check = "trustedForDocType"
    /// The issuer signed while its certificate was valid.
    public static let signingTime: Check = "signingTime"
    /// The device key is a point on its curve.
    public static let deviceKey: Check = "deviceKey"
    /// The device key may sign the device's elements.
    public static let keyAuthorizations: Check = "keyAuthorizations"
    /// Country and jurisdiction among the elements are those of the issuer's certificate.
    public static let issuingCountry: Check = "issuingCountry"
    /// A zero-knowledge proof holds for the elements and this session.
    public static let zeroKnowledgeProof: Check = "zeroKnowledgeProof"

    /// The wallet reports no error.
    public static let responseStatus: Check = "responseStatus"
    /// The response has documents.
    public static let documents: Check = "documents"

    /// A reader's signature over this session and its request.
    public static let readerSignature: Check = "readerSignature"
    /// A trust anchor stands behind the reader's certificate, which fits its profile and is valid now.
    public static let readerTrust: Check = "readerTrust"
}

extension MdocVerifier {
    /// The checks of a document, in the order of ISO/IEC 18013-5, 12.8 and 13.4.2.
    ///
    /// `algorithm` is about the keys of issuer and device and the issuer's algorithm, `issuerTrust` about a trust anchor
    /// behind the issuer's certificate, `certificateValidity` about both certificates now, `digests` about every element,
    /// none of them twice, `credentialType` about the type that the issuer signed and the reader asked for, and
    /// `holderBinding` about the device's signature or MAC over this session.
    public static let documentChecks: [Check] = [
        .structure, .algorithm, .signerCertificate, .issuerTrust, .certificateValidity, .issuerLocality,
        .signerRevocation, .trustedForDocType, .issuerSignature, .digests, .credentialType, .signingTime, .validity,
        .deviceKey, .keyAuthorizations, .holderBinding, .issuingCountry, .status,
    ]

    /// The checks of a credential by itself: those of a document but for the device's.
    public static let issuerSignedChecks: [Check] = documentChecks.filter {
        ![.keyAuthorizations, .holderBinding].contains($0)
    }

    /// The checks of a response, whose documents are its parts.
    public static let responseChecks: [Check] = [.responseStatus, .documents]
}
