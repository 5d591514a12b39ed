/// The steps from the root of a document to one of its items.
public struct CBORPath: Hashable, Sendable {
    /// One step down.
    public enum Step: Hashable, Sendable {
        /// To the element of an array with this index, counted from 0.
        case index(Int)
        /// To the value of a map's text key.
        case key(String)
        /// To the value of a map's integer key.
        case label(Int128)
        /// To the value of a map's key of another kind, given in diagnostic notation or shortened.
        case otherKey(String)
        /// To a map's key itself: that of the pair with this index, counted from 0.
        case keyItem(Int)
        /// To the content of a tag.
        case tag(UInt64)
        /// Into the CBOR that a byte string holds.
        case embedded
    }

    /// The steps, outermost first.
    public var steps: [Step]

    /// A path of the given steps.
    public init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// Indicates that this is the root.
    public var isEmpty: Bool { steps.isEmpty }

    /// The path that leads through the first to where the second ends.
    public static func + (first: CBORPath, second: CBORPath) -> CBORPath {
        CBORPath(first.steps + second.steps)
    }
}

extension CBORPath: CustomStringConvertible {
    /// The steps in a row, such as `documents[0].issuerSigned{1}.24()`.
    public var description: String {
        var text = ""
        for step in steps {
            if case .key = step, !text.isEmpty { text += "." }
            text += step.description
        }
        return text
    }
}

extension CBORPath.Step: CustomStringConvertible {
    /// The step as it stands in a path: `[2]` for an element, the bare text of a text key, `{-1}` for an integer key.
    public var description: String {
        switch self {
        case .index(let index): "[\(index)]"
        case .key(let key): Self.shortened(key)
        case .label(let label): "{\(label)}"
        case .otherKey(let key): "{\(Self.shortened(key))}"
        case .keyItem(let index): "{key \(index)}"
        case .tag(let number): "<\(number)>"
        case .embedded: "<<>>"
        }
    }

    /// Keys come from the input, so long ones are cut and invisible characters escaped.
    private static func shortened(_ text: String) -> String {
        (text.utf8.count <= 80 ? text : "\(text.unicodeScalars.prefix(64).map(String.init).joined())…")
            .escapedForDisplay()
    }
}

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
