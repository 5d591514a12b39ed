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
        limits.certificateSize = self.limits.certificateSize
        return MdocReadingOptions(tolerances: tolerances, limits: limits)
    }
}

extension TrustListReadingOptions {
    /// For reading back what was just built: a limit must not stand in the way of a provider.
    static let building: TrustListReadingOptions = {
        var options = TrustListReadingOptions.deployed
        options.limits.size = .max
        options.limits.entries = .max
        options.limits.certificateSize = .max
        options.limits.itemsPerEntry = .max
        return options
    }()
}
