import CryptoCore

extension Outline {
    /// The outline as indented text, one line a value.
    package var lines: [String] {
        switch self {
        case .text(let text): [text.escapedForDisplay()]
        case .verbatim(let text): [text.escapedForDisplay(backslash: true)]
        case .block(let text):
            text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.escapedForDisplay() }
        case .number(let number): ["\(number)"]
        case .flag(let flag): [flag ? "yes" : "no"]
        case .labeled(let members): members.flatMap { Self.lines(named: $0.name, $0.value) }
        case .fields(let members): members.flatMap { Self.lines(named: $0.name, $0.value) }
        case .list(let members): members.flatMap { Self.bulleted($0.lines) }
        case .json(let value): value.outline.lines
        case .forms(let people, _): people.lines
        }
    }

    private static func lines(named name: String, _ value: Outline) -> [String] {
        let label = name.escapedForDisplay(backslash: true)
        switch value {
        case .json(let value): return lines(named: name, value.outline)
        case .forms(let people, _): return lines(named: name, people)
        case .text, .verbatim, .block, .number, .flag:
            let lines = value.lines
            return lines.count == 1 ? ["\(label): \(lines[0])"] : ["\(label):"] + indented(lines)
        case .labeled, .fields, .list: return value.isEmpty ? ["\(label): none"] : ["\(label):"] + indented(value.lines)
        }
    }

    private static func bulleted(_ lines: [String]) -> [String] {
        lines.enumerated().map { ($0.offset == 0 ? "- " : "  ") + $0.element }
    }

    private static func indented(_ lines: [String]) -> [String] {
        lines.map { "  " + $0 }
    }
}
