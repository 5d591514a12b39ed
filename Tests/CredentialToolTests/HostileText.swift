import CommandTesting
import Testing

/// Text that another party chose in order to forge output that prints it unchanged.
struct HostileText: CustomTestStringConvertible {
    /// The beginning of each text, and the line that it tries to forge.
    static let opening = "ATTACKER"
    static let forgery = "verdict: forged"

    let text: String

    /// Scalars that break lines, move the cursor, reorder or hide.
    static let scalars: [Unicode.Scalar] =
        [
            "\n", "\r", "\t", "\u{0}", "\u{7}", "\u{8}", "\u{b}", "\u{c}", "\u{1b}", "\u{7f}", "\u{85}", "\u{9b}",
            "\u{ad}",
            "\u{34f}", "\u{61c}", "\u{115f}", "\u{180e}", "\u{200b}", "\u{200d}", "\u{200e}", "\u{2028}", "\u{2029}",
            "\u{202a}", "\u{202e}", "\u{2060}", "\u{2066}", "\u{2069}", "\u{3164}", "\u{fe0f}", "\u{feff}", "\u{fff9}",
            "\u{e0041}", "\u{e0100}",
        ]

    /// Texts that together contain every such scalar, each followed by the forgery.
    static let all: [HostileText] = stride(from: 0, to: scalars.count, by: 11).map { start in
        HostileText(text: opening + scalars[start..<min(start + 11, scalars.count)].map { "\($0)\(forgery)" }.joined())
    }

    var testDescription: String {
        "scalars from U+\(String(text.unicodeScalars.dropFirst(8).first?.value ?? 0, radix: 16))"
    }

    /// The text in a JSON string, every scalar escaped.
    var json: String {
        "\""
            + text.utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined() + "\""
    }

    /// The text without zero and slash, for a file name.
    var fileName: String { text.filter { $0 != "\0" && $0 != "/" } }
}

/// Checks that output escapes invisible characters, and begins no line with another party's text.
func expectHarmless(_ invocation: Invocation, sourceLocation: SourceLocation = #_sourceLocation) {
    for text in [invocation.output, invocation.errors] {
        let raw = text.unicodeScalars.filter { $0 != "\n" && HostileText.scalars.contains($0) }
        #expect(raw.isEmpty, "raw scalars in:\n\(text)", sourceLocation: sourceLocation)
        for line in text.split(separator: "\n") {
            #expect(!line.hasPrefix(HostileText.opening), "\(text)", sourceLocation: sourceLocation)
            let content = line.drop { $0 == " " || $0 == "-" }
            #expect(!content.hasPrefix(HostileText.forgery), "\(text)", sourceLocation: sourceLocation)
        }
    }
}
