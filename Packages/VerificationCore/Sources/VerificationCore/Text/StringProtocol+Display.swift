extension StringProtocol {
    /// The text with every invisible scalar escaped, so that a person can read it safely.
    ///
    /// Text of another party ends up in messages, in logs and on screens. A line break in it could forge a line of
    /// output, an escape code could rewrite the terminal, and a bidirectional override could reorder the text beside
    /// it. Each control (C0, DEL, C1), line or paragraph separator, format character and other invisible scalar
    /// (Unicode: general category Cc, Zl, Zp or Cf, or the property Default_Ignorable_Code_Point) becomes `\u{XXXX}`:
    /// its number in at least four upper-case hexadecimal digits.
    ///
    /// Text that is escaped already stays the same, so a message can embed another.
    ///
    /// - Parameter backslash: Indicates that a backslash becomes two. The result is then unambiguous; use it once, for
    ///   text that is wholly another party's.
    public func escapedForDisplay(backslash: Bool = false) -> String {
        let isPlain = utf8.allSatisfy { (0x20..<0x7f).contains($0) && !(backslash && $0 == UInt8(ascii: "\\")) }
        guard !isPlain else { return String(self) }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isInvisible {
                text += scalar.displayEscape
            } else {
                if backslash, scalar == "\\" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    /// A control character, a line break, a bidirectional override, or another scalar without a visible form.
    fileprivate var isInvisible: Bool {
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
