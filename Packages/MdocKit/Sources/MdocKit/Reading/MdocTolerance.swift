/// A deviation from ISO/IEC 18013-5 that real producers show and that does not affect the signed content.
///
/// A tolerated deviation is reported as an ``MdocDeviation``. Digests and signatures are always checked over the
/// received bytes.
public struct MdocTolerance: Hashable, Sendable, CustomStringConvertible {
    /// The tolerance's name.
    public let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// Integers and lengths in a longer form than needed, such as a map head `b9 00 03` (8.1 demands the shortest).
    public static let nonPreferredEncoding = MdocTolerance("nonPreferredEncoding")
    /// Strings, arrays and maps of indefinite length (8.1 demands definite ones).
    public static let indefiniteLength = MdocTolerance("indefiniteLength")
    /// A COSE structure with its tag (17 or 18), where the standard has it untagged.
    public static let taggedCOSE = MdocTolerance("taggedCOSE")
    /// An x5chain of one certificate that is an array, where RFC 9360 has a byte string.
    public static let arrayOfOneCertificate = MdocTolerance("arrayOfOneCertificate")
    /// An x5chain in the protected header instead of the unprotected one (12.3.4, 12.5.4, C.1.7.1).
    public static let protectedX5chain = MdocTolerance("protectedX5chain")
    /// An x5chain of a RICAL in the unprotected header instead of the protected one (F.3.2).
    public static let unprotectedX5chain = MdocTolerance("unprotectedX5chain")
    /// An x5chain of an issuer or of a RICAL that ends with a self-issued certificate, which the standard leaves out (B.1.1,
    /// F.3.2).
    ///
    /// The certificate is ignored. The chains of readers and of a VICAL may have it (12.5.4, C.1.7.1).
    public static let rootInX5chain = MdocTolerance("rootInX5chain")
    /// A signature algorithm by a fully specified number (RFC 9864), such as ESP256 or ESB256, instead of the
    /// polymorphic one, such as ES256 (12.3.4, 12.4.6).
    public static let fullySpecifiedAlgorithm = MdocTolerance("fullySpecifiedAlgorithm")
    /// A namespace with an empty array of items (10.3.3 requires at least one).
    public static let emptyNameSpace = MdocTolerance("emptyNameSpace")
    /// An optional member with nothing in it, where the standard has at least one entry (10.2, 10.3.2).
    ///
    /// The issuer's `nameSpaces`, `errors`, and lists such as `documents` count as absent then. A `requestInfo` without a
    /// member sets no conditions.
    public static let emptyMember = MdocTolerance("emptyMember")
    /// A request of version 1.0 with members that 1.1 has: `deviceRequestInfo`, `readerAuthAll` or `macKeys` (10.2).
    public static let requestVersion = MdocTolerance("requestVersion")
    /// A `zkRequest` as before the second edition: without `zkRequired`, which counts as false, and with systems that have
    /// `id` for `zkSystemId`, or no `params` (10.2.5).
    public static let earlierZkRequest = MdocTolerance("earlierZkRequest")
    /// A date or time as text without its tag, 0 or 1004 (8.2).
    public static let untaggedDate = MdocTolerance("untaggedDate")
    /// A `signed` after `validFrom` (12.3.5 requires it at or before).
    public static let signedAfterValidFrom = MdocTolerance("signedAfterValidFrom")
    /// `issuing_country` or `issuing_jurisdiction` in another case than in the issuer's certificate (13.4.2).
    ///
    /// Detected in verification, see ``MdocVerificationPolicy/tolerances``.
    public static let countryCase = MdocTolerance("countryCase")
    /// A `tdate` with fractions of a second.
    public static let fractionalSeconds = MdocTolerance("fractionalSeconds")
    /// A `tdate` with an offset from UTC instead of `Z`.
    public static let timeZoneOffset = MdocTolerance("timeZoneOffset")
    /// A `tdate` where a `full-date` is demanded.
    public static let tdateForFullDate = MdocTolerance("tdateForFullDate")
    /// An optional member with the value null or undefined instead of an absent one: `expectedUpdate` (12.3.5) or
    /// `status` (12.3.6) of a mobile security object.
    ///
    /// A `status` without a value names no list, so the credential's status is unknown. The credential is refused
    /// wherever a named status is required.
    public static let nullForAbsent = MdocTolerance("nullForAbsent")
    /// A `digestID` of 2^31 or more, below 2^32 (12.3.4 has it below 2^31).
    public static let largeDigestID = MdocTolerance("largeDigestID")
    /// A COSE_Key whose `kid` is text, where RFC 9052, 7.1, has a byte string; no key of an mdoc is found by it.
    public static let textKeyID = MdocTolerance("textKeyID")
    /// The identifier for an identifier list as text instead of a byte string (12.3.6 of the second edition).
    ///
    /// The list is searched for its UTF-8 bytes.
    ///
    /// A list with these bytes revokes the credential. A list without them proves nothing, since the issuer may have
    /// entered the identifier in another spelling: the status is unknown then.
    public static let textIdentifier = MdocTolerance("textIdentifier")
    /// A handover message with several carriers under one id, where NDEF requires unique ids.
    ///
    /// The carriers are taken in the order in which the alternative carriers name them.
    public static let repeatedCarrierID = MdocTolerance("repeatedCarrierID")
    /// An `mdoc:` URI whose base64url is padded (9.3 has none).
    public static let paddedURI = MdocTolerance("paddedURI")
    /// An engagement whose version does not go with its members: 1.1 exactly where key 5 or 6 is there (9.1).
    public static let engagementVersion = MdocTolerance("engagementVersion")
    /// An engagement with capabilities and without origins (9.1 demands at least an empty list).
    public static let capabilitiesWithoutOrigins = MdocTolerance("capabilitiesWithoutOrigins")
    /// An engagement that names a retrieval method of one type and version twice (9.1 has each once).
    public static let repeatedRetrievalMethod = MdocTolerance("repeatedRetrievalMethod")
    /// BLE options with a UUID, an address or an L2CAP channel of a mode that they do not offer (11.1.2).
    ///
    /// They are ignored.
    public static let foreignBLEOptions = MdocTolerance("foreignBLEOptions")
    /// An `mdoc:` URI whose engagement names no retrieval method, so that both sides must know of one (9.1 demands one).
    public static let missingRetrievalMethods = MdocTolerance("missingRetrievalMethods")
}

extension Set<MdocTolerance> {
    /// The known deviations of deployed wallets and issuers.
    public static let deployed: Set<MdocTolerance> = [
        .nonPreferredEncoding, .indefiniteLength, .taggedCOSE, .arrayOfOneCertificate, .protectedX5chain,
        .rootInX5chain, .fullySpecifiedAlgorithm, .emptyNameSpace, .untaggedDate, .signedAfterValidFrom, .countryCase,
        .fractionalSeconds, .tdateForFullDate, .nullForAbsent, .largeDigestID, .textKeyID, .textIdentifier,
        .emptyMember, .requestVersion, .earlierZkRequest, .repeatedCarrierID,
        .paddedURI, .engagementVersion, .capabilitiesWithoutOrigins, .repeatedRetrievalMethod, .missingRetrievalMethods,
        .foreignBLEOptions,
    ]
}
