/// The layout of a JSON text.
public struct JSONFormat: Hashable, Sendable {
    /// The number of spaces that each level is indented by, each value on a separate line; nil for no white space at
    /// all.
    let indentation: Int?
    /// Indicates whether invisible characters in strings are escaped.
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
    /// In strings, controls beyond those of ASCII, line and paragraph separators, format characters (bidirectional
    /// controls among them) and other invisible characters are escaped as `\uXXXX`. The text stands for the same
    /// values.
    public var escapingInvisible: JSONFormat { JSONFormat(indentation: indentation, escapesInvisible: true) }
}
