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
}

extension Set<MdocTolerance> {
    /// What deployed wallets and issuers are known to do.
    public static let deployed: Set<MdocTolerance> = [
        .nonPreferredEncoding, .indefiniteLength, .taggedCOSE, .arrayOfOneCertificate, .fractionalSeconds,
        .tdateForFullDate,
    ]
}
