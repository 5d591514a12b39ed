/// The bar for a measured figure.
public enum Bar: Sendable {
    /// The figure must not be below this.
    case atLeast(Double)
    /// The figure must not be above this.
    case atMost(Double)

    /// The bar's number, in the unit of the figure.
    public var number: Double {
        switch self {
        case .atLeast(let number), .atMost(let number): number
        }
    }

    /// Returns `true` if a figure meets the bar.
    public func holds(for value: Double) -> Bool {
        switch self {
        case .atLeast(let number): value >= number
        case .atMost(let number): value <= number
        }
    }
}

extension Bar: CustomStringConvertible {
    /// The bar as the table prints it.
    public var description: String {
        switch self {
        case .atLeast(let number): "≥ \(number)"
        case .atMost(let number): "≤ \(number)"
        }
    }
}
