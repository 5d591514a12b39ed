/// How a JSON text is laid out.
public struct JSONFormat: Hashable, Sendable {
    /// How many spaces each level is indented by, each value on a line of its own; nil for no white space at all.
    let indentation: Int?
    /// Whether strings are written so that everything in them shows.
    var escapesInvisible = false

    /// No white space.
    public static let compact = JSONFormat(indentation: nil)
    /// One value a line, indented by two spaces a level.
    public static let pretty = JSONFormat(indentation: 2)

    /// One value a line, indented by a number of spaces a level.
    public static func pretty(indentation: Int) -> JSONFormat {
        JSONFormat(indentation: max(indentation, 0))
    }

    /// The same layout for text that people read too.
    ///
    /// In strings, controls beyond those of ASCII, line and paragraph separators, format characters (bidirectional controls
    /// among them) and other invisible characters are escaped as `\uXXXX`. The values that a reader gets are the same.
    public var escapingInvisible: JSONFormat { JSONFormat(indentation: indentation, escapesInvisible: true) }
}
