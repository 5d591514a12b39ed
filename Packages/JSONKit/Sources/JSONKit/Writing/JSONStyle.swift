/// The layout of a JSON text.
public struct JSONFormat: Hashable, Sendable {
    /// The number of spaces that each level is indented by, each value on a separate line; nil for no white space at
    /// all.
    let indentation: Int?
    /// Indicates that invisible characters in strings are escaped.
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

/// The differences between the ways of writing values.
protocol JSONStyle {
    associatedtype Failure: Error

    /// The number of spaces that each level is indented by; nil for no white space.
    var indentation: Int? { get }

    /// Indicates that invisible characters in strings are escaped, beyond the mandatory escapes.
    var escapesInvisible: Bool { get }

    /// Indicates that values of a text are written as they stand there, but for white space and escapes.
    var copiesText: Bool { get }

    /// The members in the order in which they are written; nil for their own.
    func arrange(_ object: JSONObject) -> [JSONObject.Entry]?

    /// Writes a number.
    ///
    /// - Parameter levels: The containers that the number stands in.
    func append(
        _ number: JSONNumber,
        to output: inout JSONOutput,
        in levels: borrowing JSONWriterLevels
    ) throws(Failure)
}

/// Writes members in their order and numbers as they are.
struct JSONPlainStyle: JSONStyle {
    let indentation: Int?
    let escapesInvisible: Bool

    var copiesText: Bool { indentation == nil && !escapesInvisible }

    func arrange(_ object: JSONObject) -> [JSONObject.Entry]? { nil }

    @inline(__always)
    func append(_ number: JSONNumber, to output: inout JSONOutput, in levels: borrowing JSONWriterLevels) {
        output.append(text: number.text)
    }
}
