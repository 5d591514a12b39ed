/// Tolerances and limits for reading.
///
/// Reading is strict: a deviation from the standard is refused unless a tolerance for it is named. A tolerated deviation
/// is reported with its place, and digests and signatures are checked over the received bytes in any case.
///
/// ```swift
/// let response = try DeviceResponse(decoding: bytes, options: .deployed)
/// for deviation in response.deviations { print(deviation) }
/// ```
public struct MdocReadingOptions: Sendable {
    /// The deviations from the standard that are accepted, and reported.
    public var tolerances: Set<MdocTolerance>
    /// The limits for a received structure.
    public var limits: MdocLimits

    /// Creates reading options; strict ones unless tolerances are named.
    public init(tolerances: Set<MdocTolerance> = [], limits: MdocLimits = MdocLimits()) {
        self.tolerances = tolerances
        self.limits = limits
    }

    /// Accepts nothing that the standard does not allow; the default of everything that reads or verifies.
    public static let strict = MdocReadingOptions()

    /// Accepts the known deviations of deployed wallets, readers and issuers, and reports each that is met.
    ///
    /// * Encoding: ``MdocTolerance/nonPreferredEncoding``, ``MdocTolerance/indefiniteLength``.
    /// * Signatures and keys: ``MdocTolerance/taggedCOSE``, ``MdocTolerance/arrayOfOneCertificate``,
    ///   ``MdocTolerance/protectedX5chain``, ``MdocTolerance/rootInX5chain``,
    ///   ``MdocTolerance/fullySpecifiedAlgorithm``, ``MdocTolerance/textKeyID``.
    /// * Times: ``MdocTolerance/untaggedDate``, ``MdocTolerance/fractionalSeconds``,
    ///   ``MdocTolerance/tdateForFullDate``, ``MdocTolerance/signedAfterValidFrom``.
    /// * Members: ``MdocTolerance/emptyNameSpace``, ``MdocTolerance/emptyMember``, ``MdocTolerance/nullForAbsent``,
    ///   ``MdocTolerance/largeDigestID``, ``MdocTolerance/textIdentifier``, ``MdocTolerance/earlierZkRequest``,
    ///   ``MdocTolerance/requestVersion``.
    /// * Engagement: ``MdocTolerance/repeatedCarrierID``, ``MdocTolerance/paddedURI``,
    ///   ``MdocTolerance/engagementVersion``, ``MdocTolerance/capabilitiesWithoutOrigins``,
    ///   ``MdocTolerance/repeatedRetrievalMethod``, ``MdocTolerance/missingRetrievalMethods``,
    ///   ``MdocTolerance/foreignBLEOptions``.
    ///
    /// ``MdocTolerance/timeZoneOffset`` is not among them: name it if an issuer needs it. ``MdocTolerance/countryCase``
    /// is detected in verification: see ``MdocVerificationPolicy/deployed``.
    public static let deployed = MdocReadingOptions(tolerances: .deployed)
}

extension MdocReadingOptions {
    /// For reading back structures that were just built: a limit must not stand in the way of an issuer or a wallet,
    /// nor the form of a credential that was read with a tolerance.
    package static let building: MdocReadingOptions = {
        var options = MdocReadingOptions(tolerances: .deployed.union([.timeZoneOffset]))
        options.limits.messageSize = .max
        options.limits.items = .max
        options.limits.elements = .max
        options.limits.documents = .max
        options.limits.nameSpaces = .max
        options.limits.digests = .max
        options.limits.deviatingItems = .max
        return options
    }()
}
