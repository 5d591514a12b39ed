extension Outline {
    /// The outline as indented text, one line a value.
    var lines: [String] {
        switch self {
        case .text(let text): [text]
        case .number(let number): ["\(number)"]
        case .flag(let flag): [flag ? "yes" : "no"]
        case .fields(let members): members.flatMap { Self.lines(named: $0.name, $0.value) }
        case .list(let members): members.flatMap { Self.bulleted($0.lines) }
        case .json(let value): value.outline.lines
        }
    }

    private static func lines(named name: String, _ value: Outline) -> [String] {
        switch value {
        case .json(let value): lines(named: name, value.outline)
        case .text(let text) where text.contains("\n"):
            ["\(name):"] + indented(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        case .text, .number, .flag: ["\(name): \(value.lines.joined())"]
        case .fields, .list: value.isEmpty ? ["\(name): none"] : ["\(name):"] + indented(value.lines)
        }
    }

    private static func bulleted(_ lines: [String]) -> [String] {
        lines.enumerated().map { ($0.offset == 0 ? "- " : "  ") + $0.element }
    }

    private static func indented(_ lines: [String]) -> [String] {
        lines.map { "  " + $0 }
    }
}
