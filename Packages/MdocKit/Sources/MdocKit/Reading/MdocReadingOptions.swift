/// Tolerances and limits for reading.
public struct MdocReadingOptions: Sendable {
    /// The deviations from the standard that are accepted, and reported.
    public var tolerances: Set<MdocTolerance>
    /// The limits for a received structure.
    public var limits: MdocLimits

    /// Creates reading options.
    public init(tolerances: Set<MdocTolerance> = .deployed, limits: MdocLimits = MdocLimits()) {
        self.tolerances = tolerances
        self.limits = limits
    }

    /// Accepts what deployed producers are known to do, and reports it.
    public static let `default` = MdocReadingOptions()
    /// Accepts nothing that the standard does not allow.
    public static let strict = MdocReadingOptions(tolerances: [])
}

extension MdocReadingOptions {
    /// For reading back what was just built: a limit must not stand in the way of an issuer or a wallet.
    static let building: MdocReadingOptions = {
        var options = MdocReadingOptions()
        options.limits.messageSize = .max
        options.limits.elements = .max
        options.limits.documents = .max
        options.limits.nameSpaces = .max
        options.limits.digests = .max
        options.limits.deviatingItems = .max
        return options
    }()
}
