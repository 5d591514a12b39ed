/// A deviation from the standard that a tolerance let pass.
public struct Deviation: Hashable, Sendable {
    /// The name of the tolerance, in lower camel case.
    public let tolerance: String
    /// The names of the structures around the deviation, outermost first; empty for the whole.
    public let path: [String]
    /// The finding, for a developer; empty if the tolerance says it all.
    public let message: String

    /// Describes a deviation.
    public init(_ tolerance: String, at path: [String] = [], _ message: String = "") {
        self.tolerance = tolerance
        self.path = path
        self.message = message
    }
}

extension Deviation: CustomStringConvertible {
    /// Tolerance, place and finding on one line, with invisible characters escaped.
    public var description: String {
        var text = tolerance
        if !path.isEmpty { text += " in " + path.joined(separator: ".") }
        if !message.isEmpty { text += ": " + message }
        return text.escapedForDisplay()
    }
}
