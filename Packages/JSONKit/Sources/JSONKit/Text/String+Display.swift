extension String {
    /// The text with every invisible scalar as `\u{XXXX}`, so that text of another party cannot forge a line of a log.
    ///
    /// Invisible are controls, line and paragraph separators, format characters (bidirectional controls among them) and
    /// Unicode's default-ignorable characters.
    func escapedForDisplay() -> String {
        guard !utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isInvisible { text += scalar.displayEscape } else { text.unicodeScalars.append(scalar) }
        }
    }
}

extension Unicode.Scalar {
    /// A control character, a line break, a bidirectional override, or another scalar without a visible form.
    var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: properties.isDefaultIgnorableCodePoint
        }
    }

    /// The scalar's number in at least four digits, as in a literal of Swift.
    fileprivate var displayEscape: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "\\u{" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "}"
    }
}
