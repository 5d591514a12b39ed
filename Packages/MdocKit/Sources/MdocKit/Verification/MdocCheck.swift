/// A check of a document or of a reader, by name; an open set.
///
/// Those of a document stand in the order of ISO/IEC 18013-5, 12.8 and 13.4.2, see ``all``.
public struct MdocCheck: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public var description: String { "\(name)" }

    /// A name that is part of the program, so that a list of outcomes costs nothing to keep.
    private let name: StaticString

    private init(_ name: StaticString) {
        self.name = name
    }

    /// Whether both are the same check.
    public static func == (left: MdocCheck, right: MdocCheck) -> Bool {
        left.description == right.description
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(description)
    }

    /// The document and its mobile security object can be read, and the hash function is known.
    public static let structure = MdocCheck("structure")
    /// The keys of issuer and device are on curves of the standard, and the issuer's algorithm goes with its key.
    public static let algorithms = MdocCheck("algorithms")
    /// The issuer's certificate is well formed and fits the profile of a document signer.
    public static let signerCertificate = MdocCheck("signerCertificate")
    /// A trust anchor stands behind the issuer's certificate.
    public static let trustedIssuer = MdocCheck("trustedIssuer")
    /// Trust anchor and issuer's certificate are valid now.
    public static let certificateValidity = MdocCheck("certificateValidity")
    /// Country and state are the same in the certificates of trust anchor and issuer.
    public static let issuerLocality = MdocCheck("issuerLocality")
    /// The issuer's certificate is not revoked.
    public static let signerRevocation = MdocCheck("signerRevocation")
    /// The trust anchor is meant for documents of this type.
    public static let trustedForDocType = MdocCheck("trustedForDocType")
    /// The issuer's signature over the mobile security object.
    public static let issuerSignature = MdocCheck("issuerSignature")
    /// Every element has its digest in the mobile security object, and no element is a duplicate.
    public static let digests = MdocCheck("digests")
    /// The document's type is the one that the issuer signed, and a requested one.
    public static let docType = MdocCheck("docType")
    /// The issuer signed while its certificate was valid.
    public static let signingTime = MdocCheck("signingTime")
    /// The credential is valid now.
    public static let validityPeriod = MdocCheck("validityPeriod")
    /// The device key is a point on its curve.
    public static let deviceKey = MdocCheck("deviceKey")
    /// The device key may sign the device's elements.
    public static let keyAuthorizations = MdocCheck("keyAuthorizations")
    /// The device's signature or MAC over this session.
    public static let deviceAuthentication = MdocCheck("deviceAuthentication")
    /// Country and jurisdiction among the elements are those of the issuer's certificate.
    public static let issuingCountry = MdocCheck("issuingCountry")
    /// The credential is neither revoked nor suspended.
    public static let status = MdocCheck("status")

    /// A reader's signature over this session and its request.
    public static let readerSignature = MdocCheck("readerSignature")
    /// A trust anchor stands behind the reader's certificate, which fits its profile and is valid now.
    public static let trustedReader = MdocCheck("trustedReader")

    /// All checks of a presentation, in their order.
    public static let all: [MdocCheck] = [
        .structure, .algorithms, .signerCertificate, .trustedIssuer, .certificateValidity, .issuerLocality,
        .signerRevocation, .trustedForDocType, .issuerSignature, .digests, .docType, .signingTime, .validityPeriod,
        .deviceKey,
        .keyAuthorizations, .deviceAuthentication, .issuingCountry, .status,
    ]
}
