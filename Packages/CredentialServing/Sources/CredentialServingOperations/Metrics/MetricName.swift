#if Server
/// Names and values as the text format of Prometheus has them (exposition format 0.0.4).
enum MetricName {
    /// The metric's name: letters, digits, underscores and colons; every other character becomes an underscore.
    static func metric(_ label: String) -> String {
        name(label) { $0 == ":" }
    }

    /// The label's name: letters, digits and underscores, not beginning with two underscores, and neither `le` nor
    /// `quantile`, which the format itself uses.
    static func label(_ label: String) -> String {
        var name = name(label) { _ in false }
        while name.hasPrefix("__") { name.removeFirst() }
        return name == "le" || name == "quantile" ? name + "_" : name
    }

    private static func name(_ text: String, _ isAllowed: (Character) -> Bool) -> String {
        let name = String(
            text.prefix(200).map { character in
                let isPlain = character.isASCII && (character.isLetter || character.isNumber) || character == "_"
                return isPlain || isAllowed(character) ? character : "_"
            }
        )
        guard let first = name.first, !first.isNumber else { return "_" + name }
        return name
    }

    /// A help text with backslashes and line breaks escaped.
    static func escapedHelp(_ text: String) -> String { escaped(text, quotes: false) }

    /// A label's value with backslashes, quotes and line breaks escaped.
    static func escapedValue(_ text: String) -> String { escaped(text, quotes: true) }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        text.unicodeScalars.reduce(into: "") { output, scalar in
            switch scalar {
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\"" where quotes: output += "\\\""
            default: output.unicodeScalars.append(scalar)
            }
        }
    }

    /// A number as Go reads it.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if let integer = Int64(exactly: value) { return String(integer) }
        return "\(value)"
    }
}

/// The labels of a series, in the order of their names.
struct MetricLabels: Hashable, Sendable {
    let pairs: [Pair]

    struct Pair: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// Labels by their names; of two with one name, the last counts.
    init(_ dimensions: [(String, String)], maximumSize: Int) {
        var values: [String: String] = [:]
        for (name, value) in dimensions { values[MetricName.label(name)] = Self.cut(value, maximumSize) }
        pairs = values.sorted { $0.key < $1.key }.map { Pair(name: $0.key, value: $0.value) }
    }

    private init(pairs: [Pair]) {
        self.pairs = pairs
    }

    /// The same labels, each with the value `other`.
    var overflow: MetricLabels {
        MetricLabels(pairs: pairs.map { Pair(name: $0.name, value: "other") })
    }

    /// The labels in braces, or nothing if there are none.
    func text(adding extra: (name: String, value: String)? = nil) -> String {
        var parts = pairs.map { "\($0.name)=\"\(MetricName.escapedValue($0.value))\"" }
        if let extra { parts.append("\(extra.name)=\"\(extra.value)\"") }
        return parts.isEmpty ? "" : "{" + parts.joined(separator: ",") + "}"
    }

    /// The longest beginning of a text with at most so many bytes.
    private static func cut(_ text: String, _ maximumSize: Int) -> String {
        guard text.utf8.count > maximumSize else { return text }
        var cut = ""
        var size = 0
        for scalar in text.unicodeScalars {
            size += UTF8.width(scalar)
            if size > maximumSize { break }
            cut.unicodeScalars.append(scalar)
        }
        return cut
    }
}
#endif
