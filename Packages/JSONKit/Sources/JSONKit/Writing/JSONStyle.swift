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
    static var copiesText: Bool { get }

    /// The members in the order in which they are written; nil for their own.
    func arrange(_ object: JSONObject) -> [JSONObject.Entry]?

    /// Writes a number, and a comma.
    ///
    /// - Parameters:
    ///   - level: The container that the number stands in.
    ///   - levels: The containers around that one.
    func append(
        _ number: JSONNumber,
        to output: inout JSONOutput,
        in level: JSONWriterLevel,
        _ levels: borrowing JSONWriterLevels
    ) throws(Failure)
}

/// Writes members in their order and numbers as they are, without white space.
struct JSONCompactStyle: JSONStyle {
    var indentation: Int? { nil }
    var escapesInvisible: Bool { false }
    static var copiesText: Bool { true }

    func arrange(_ object: JSONObject) -> [JSONObject.Entry]? { nil }

    @inline(__always)
    func append(
        _ number: JSONNumber,
        to output: inout JSONOutput,
        in level: JSONWriterLevel,
        _ levels: borrowing JSONWriterLevels
    ) {
        output.append(text: number.text, then: UInt8(ascii: ","))
    }
}

/// Writes members in their order and numbers as they are, for people.
struct JSONPlainStyle: JSONStyle {
    let indentation: Int?
    let escapesInvisible: Bool
    static var copiesText: Bool { false }

    func arrange(_ object: JSONObject) -> [JSONObject.Entry]? { nil }

    func append(
        _ number: JSONNumber,
        to output: inout JSONOutput,
        in level: JSONWriterLevel,
        _ levels: borrowing JSONWriterLevels
    ) {
        output.append(text: number.text, then: UInt8(ascii: ","))
    }
}
