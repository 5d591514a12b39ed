#if Server
/// Limits for a ``MetricsRegistry``, so that no input makes it grow without end.
public struct MetricsLimits: Hashable, Sendable {
    /// The largest number of metrics: 512 by default; further ones are not recorded.
    public var maximumMetrics: Int
    /// The largest number of series, which are sets of label values, of one metric: 256 by default.
    ///
    /// Further ones are recorded in one series whose label values are all `other`.
    public var maximumSeries: Int
    /// The largest number of bytes in a label's value: 128 by default; longer ones are cut.
    public var maximumLabelSize: Int

    /// Limits for general use, each property at its default.
    public static let `default` = MetricsLimits()

    /// Sets the limits; what is not given has its default.
    public init(maximumMetrics: Int = 512, maximumSeries: Int = 256, maximumLabelSize: Int = 128) {
        self.maximumMetrics = maximumMetrics
        self.maximumSeries = maximumSeries
        self.maximumLabelSize = maximumLabelSize
    }
}
#endif
