/// One row of the report: what was measured, against what, and whether it meets its bar.
public struct Figure: Sendable {
    /// The module that was measured.
    public let layer: String
    /// The operation, and the peer or primitive that it was measured against.
    public let name: String
    /// The measured number: a ratio wherever the bar is a ratio.
    public let value: Double
    /// `x` for ratios, else a unit such as `µs` or `MB/s`.
    public let unit: String
    /// The bar for the number, or nil for orientation only.
    public let bar: Bar?

    /// Makes a row.
    public init(layer: String, name: String, value: Double, unit: String = "x", bar: Bar? = nil) {
        self.layer = layer
        self.name = name
        self.value = value
        self.unit = unit
        self.bar = bar
    }

    /// Indicates that the bar is met; nil without a bar.
    public var holds: Bool? { bar.map { $0.holds(for: value) } }
}
