public import MdocKit

/// Tolerances and limits for reading a trust list.
public struct TrustListReadingOptions: Sendable {
    /// The deviations from the standard that are accepted, and reported.
    public var tolerances: Set<MdocTolerance>
    /// The limits for a list.
    public var limits: TrustListLimits

    /// Creates reading options; strict ones unless tolerances are given.
    public init(tolerances: Set<MdocTolerance> = [], limits: TrustListLimits = TrustListLimits()) {
        self.tolerances = tolerances
        self.limits = limits
    }

    /// Accepts nothing that the standard does not allow; an entry with a deviation of its own is unreadable.
    public static let strict = TrustListReadingOptions()
    /// Accepts the known deviations of deployed trust lists, and reports them.
    public static let deployed = TrustListReadingOptions(tolerances: .deployedTrustLists)

    /// The options for the structures that all messages have in common.
    var reading: MdocReadingOptions {
        var limits = MdocLimits()
        limits.messageSize = self.limits.size
        limits.items = self.limits.size
        limits.certificateSize = self.limits.certificateSize
        return MdocReadingOptions(tolerances: tolerances, limits: limits)
    }
}

extension TrustListReadingOptions {
    /// For reading back lists that were just built: a limit must not stand in the way of a provider.
    static let building: TrustListReadingOptions = {
        var options = TrustListReadingOptions.deployed
        options.limits.size = .max
        options.limits.entries = .max
        options.limits.certificateSize = .max
        options.limits.itemsPerEntry = .max
        return options
    }()
}

/// Limits for a trust list.
///
/// A larger one is refused with `MdocError.Code.limitExceeded`.
public struct TrustListLimits: Hashable, Sendable {
    /// The size of a list in bytes: 8 MiB by default.
    public var size = 8 << 20
    /// The entries of a list: 4096 by default.
    public var entries = 4096
    /// The size of one certificate in bytes: 16 KiB by default.
    public var certificateSize = 16 << 10
    /// The document types, the certificate profiles or the trust constraints of one entry: 64 by default.
    public var itemsPerEntry = 64

    /// Creates limits with the defaults, to be changed one by one.
    public init() {}
}

extension MdocTolerance {
    /// A key of a VICAL in another spelling: AAMVA writes `Extensions` and `CertificateProfile`.
    public static let memberSpelling = MdocTolerance("memberSpelling")
    /// A `ski` with the DER heads of the extension around it, as AAMVA writes it.
    public static let wrappedKeyIdentifier = MdocTolerance("wrappedKeyIdentifier")
    /// A `serialNumber` that is not a bignum (tag 2) but a CBOR integer.
    public static let plainSerialNumber = MdocTolerance("plainSerialNumber")
    /// An entry of a trust list without `serialNumber` or `ski`; the certificate has both.
    public static let missingCertificateMember = MdocTolerance("missingCertificateMember")
    /// A member of a trust list's entry that says something else than the certificate beside it; the certificate counts.
    public static let memberUnlikeCertificate = MdocTolerance("memberUnlikeCertificate")
}

extension Set<MdocTolerance> {
    /// The known deviations of the providers of deployed trust lists, and of deployed wallets and issuers.
    public static let deployedTrustLists: Set<MdocTolerance> = .deployed.union([
        .memberSpelling, .wrappedKeyIdentifier, .plainSerialNumber, .missingCertificateMember, .memberUnlikeCertificate,
        .unprotectedX5chain,
    ])
}
