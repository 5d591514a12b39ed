/// A deviation from ISO/IEC 18013-5 that real producers show and that does not touch what is signed.
///
/// What is tolerated is reported as an ``MdocDeviation``, and digests and signatures are checked over the received
/// bytes in any case.
public struct MdocTolerance: Hashable, Sendable, CustomStringConvertible {
    /// The tolerance's name.
    public let description: String

    init(_ description: String) {
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
    /// A `tdate` with fractions of a second.
    public static let fractionalSeconds = MdocTolerance("fractionalSeconds")
    /// A `tdate` with an offset from UTC instead of `Z`.
    public static let timeZoneOffset = MdocTolerance("timeZoneOffset")
    /// A `tdate` where a `full-date` is demanded.
    public static let tdateForFullDate = MdocTolerance("tdateForFullDate")
    /// An optional member that stands there as null or undefined instead of being absent: `expectedUpdate` (12.3.5) or
    /// `status` (12.3.6) of a mobile security object.
    public static let nullForAbsent = MdocTolerance("nullForAbsent")
    /// A `digestID` of 2^31 or more, below 2^32 (12.3.4 has it below 2^31).
    public static let largeDigestID = MdocTolerance("largeDigestID")
    /// A COSE_Key whose `kid` is text, where RFC 9052, 7.1, has a byte string; no key of an mdoc is found by it.
    public static let textKeyID = MdocTolerance("textKeyID")
    /// The identifier for an identifier list as text, where the second edition has a byte string (12.3.6); its UTF-8
    /// bytes are what the list is searched for.
    public static let textIdentifier = MdocTolerance("textIdentifier")
    /// A handover message with several carriers under one id, where NDEF has who generates a message keep ids unique: they
    /// are taken in the order in which the alternative carriers name them.
    public static let repeatedCarrierID = MdocTolerance("repeatedCarrierID")
    /// An `mdoc:` URI whose base64url is padded (9.3 has none).
    public static let paddedURI = MdocTolerance("paddedURI")
    /// An engagement whose version does not go with its members: 1.1 exactly where key 5 or 6 is there (9.1).
    public static let engagementVersion = MdocTolerance("engagementVersion")
    /// An engagement with capabilities and without origins (9.1 demands at least an empty list).
    public static let capabilitiesWithoutOrigins = MdocTolerance("capabilitiesWithoutOrigins")
    /// An engagement that names a retrieval method of one type and version twice (9.1 has each once).
    public static let repeatedRetrievalMethod = MdocTolerance("repeatedRetrievalMethod")
    /// An `mdoc:` URI whose engagement names no retrieval method, so that both sides must know of one (9.1 demands one).
    public static let missingRetrievalMethods = MdocTolerance("missingRetrievalMethods")
}

extension Set<MdocTolerance> {
    /// What deployed wallets and issuers are known to do.
    public static let deployed: Set<MdocTolerance> = [
        .nonPreferredEncoding, .indefiniteLength, .taggedCOSE, .arrayOfOneCertificate, .fractionalSeconds,
        .tdateForFullDate, .nullForAbsent, .largeDigestID, .textKeyID, .textIdentifier, .repeatedCarrierID,
        .paddedURI, .engagementVersion, .capabilitiesWithoutOrigins, .repeatedRetrievalMethod, .missingRetrievalMethods,
    ]
}
