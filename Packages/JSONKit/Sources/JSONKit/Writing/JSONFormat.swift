/// How a JSON text is laid out.
public struct JSONFormat: Hashable, Sendable {
    /// How many spaces each level is indented by, each value on a line of its own; nil for no white space at all.
    let indentation: Int?

    /// No white space.
    public static let compact = JSONFormat(indentation: nil)
    /// One value a line, indented by two spaces a level.
    public static let pretty = JSONFormat(indentation: 2)

    /// One value a line, indented by a number of spaces a level.
    public static func pretty(indentation: Int) -> JSONFormat {
        JSONFormat(indentation: max(indentation, 0))
    }
}
