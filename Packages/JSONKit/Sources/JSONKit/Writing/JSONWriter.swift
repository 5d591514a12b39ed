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

    /// The members in the order in which they are written.
    func arrange(_ object: JSONObject) -> [JSONObject.Entry]

    /// The text of a number.
    ///
    /// - Parameter path: Tells where the number stands.
    func text(of number: JSONNumber, at path: () -> JSONPath) throws(Failure) -> String
}

/// Writes members in their order and numbers as they are.
struct JSONPlainStyle: JSONStyle {
    let indentation: Int?
    let escapesInvisible: Bool

    func arrange(_ object: JSONObject) -> [JSONObject.Entry] { object.members }

    func text(of number: JSONNumber, at path: () -> JSONPath) -> String { number.text }
}

/// Writes a value as text, without recursion.
struct JSONWriter<Style: JSONStyle> {
    /// A container that is being written.
    private struct Level {
        /// The elements of an array, or nil.
        let elements: [JSONValue]?
        let members: [JSONObject.Entry]
        let count: Int
        /// The position of what is written next.
        var next = 0

        init(_ elements: [JSONValue]) {
            self.elements = elements
            members = []
            count = elements.count
        }

        init(_ members: [JSONObject.Entry]) {
            elements = nil
            self.members = members
            count = members.count
        }
    }

    private let style: Style
    private var levels: [Level] = []
    private var text: [UInt8] = []

    /// The text of a value.
    static func text(of value: JSONValue, style: Style) throws(Style.Failure) -> [UInt8] {
        var writer = JSONWriter(style: style)
        try writer.write(value)
        while !writer.levels.isEmpty { try writer.continueLevel() }
        return writer.text
    }

    private init(style: Style) {
        self.style = style
    }

    /// Writes a scalar, or the opening bracket of a container.
    private mutating func write(_ value: JSONValue) throws(Style.Failure) {
        switch value {
        case .null: text.append(contentsOf: "null".utf8)
        case .bool(let value): text.append(contentsOf: value ? "true".utf8 : "false".utf8)
        case .number(let number): text.append(contentsOf: try style.text(of: number, at: { path }).utf8)
        case .string(let string): write(string)
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            levels.append(Level(elements))
        case .object(let object):
            text.append(UInt8(ascii: "{"))
            levels.append(Level(style.arrange(object)))
        }
    }

    private mutating func write(_ string: String) {
        if style.escapesInvisible {
            JSONStringText.appendVisible(string, to: &text)
        } else {
            JSONStringText.append(string, to: &text)
        }
    }

    /// Writes the next value of the innermost container, or its end.
    private mutating func continueLevel() throws(Style.Failure) {
        let depth = levels.count - 1
        let position = levels[depth].next
        guard position < levels[depth].count else {
            endLevel()
            return
        }
        levels[depth].next += 1
        if position > 0 { text.append(UInt8(ascii: ",")) }
        startLine(depth: levels.count)
        if let element = levels[depth].elements?[position] {
            try write(element)
        } else {
            let member = levels[depth].members[position]
            write(member.name)
            text.append(UInt8(ascii: ":"))
            if style.indentation != nil { text.append(UInt8(ascii: " ")) }
            try write(member.value)
        }
    }

    private mutating func endLevel() {
        let level = levels.removeLast()
        if level.count > 0 { startLine(depth: levels.count) }
        text.append(UInt8(ascii: level.elements == nil ? "}" : "]"))
    }

    private mutating func startLine(depth: Int) {
        guard let indentation = style.indentation else { return }
        text.append(UInt8(ascii: "\n"))
        text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation * depth))
    }

    /// The path of the value that is being written.
    private var path: JSONPath {
        JSONPath(
            levels.map { level in
                level.elements == nil ? .name(level.members[level.next - 1].name) : .index(level.next - 1)
            }
        )
    }
}
