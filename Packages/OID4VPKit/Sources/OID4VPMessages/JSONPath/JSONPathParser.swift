/// Reads a JSONPath (RFC 9535, section 2, without filters), with the shorthand names of older implementations.
struct JSONPathParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    mutating func parse() throws(OID4VPError) -> [JSONPathQuery.Segment] {
        guard take("$") else { throw invalid("a JSONPath starts with $") }
        var segments: [JSONPathQuery.Segment] = []
        while let scalar = advance() {
            switch scalar {
            case ".":
                let descends = take(".")
                if descends, take("[") {
                    segments.append(.init(descends: true, selectors: try takeSelectors()))
                } else {
                    segments.append(.init(descends: descends, selectors: [try takeShorthand()]))
                }
            case "[": segments.append(.init(descends: false, selectors: try takeSelectors()))
            default: throw invalid("neither a period nor a bracket follows")
            }
        }
        return segments
    }

    private func invalid(_ message: String) -> OID4VPError {
        OID4VPError(.invalidPath, "\(message), before character \(position)")
    }

    // MARK: Characters

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func advance() -> Unicode.Scalar? {
        guard let next else { return nil }
        position += 1
        return next
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while let next, next == " " || next == "\t" || next == "\n" || next == "\r" { position += 1 }
    }

    // MARK: Selectors

    /// A name after a period, or an asterisk.
    private mutating func takeShorthand() throws(OID4VPError) -> JSONPathQuery.Selector {
        if take("*") { return .all }
        var name = ""
        while let next, Self.mayBeInShorthand(next) {
            name.unicodeScalars.append(next)
            position += 1
        }
        guard !name.isEmpty else { throw invalid("no name follows a period") }
        return .name(name)
    }

    private static func mayBeInShorthand(_ scalar: Unicode.Scalar) -> Bool {
        ScalarSet.word.contains(scalar) || scalar == "-" || !scalar.isASCII
    }

    /// The selectors in brackets, without the opening one.
    private mutating func takeSelectors() throws(OID4VPError) -> [JSONPathQuery.Selector] {
        var selectors: [JSONPathQuery.Selector] = []
        repeat {
            skipBlanks()
            selectors.append(try takeSelector())
            skipBlanks()
        } while take(",")
        guard take("]") else { throw invalid("a bracket is not closed") }
        return selectors
    }

    private mutating func takeSelector() throws(OID4VPError) -> JSONPathQuery.Selector {
        switch next {
        case "*":
            position += 1
            return .all
        case "'", "\"": return .name(try takeQuoted())
        case "?", "(":
            guard scalars[position...].contains("]") else { throw invalid("a bracket is not closed") }
            throw OID4VPError(.unsupportedPath, "a JSONPath has a filter or script, before character \(position)")
        default: return try takeNumbers()
        }
    }

    /// An index or a slice.
    private mutating func takeNumbers() throws(OID4VPError) -> JSONPathQuery.Selector {
        let start = try takeInteger()
        skipBlanks()
        guard take(":") else {
            guard let start else { throw invalid("brackets hold no selector") }
            return .index(start)
        }
        skipBlanks()
        let end = try takeInteger()
        skipBlanks()
        guard take(":") else { return .slice(start: start, end: end, step: 1) }
        skipBlanks()
        return .slice(start: start, end: end, step: try takeInteger() ?? 1)
    }

    /// An integer, or nil if none follows.
    private mutating func takeInteger() throws(OID4VPError) -> Int? {
        var text = take("-") ? "-" : ""
        while let next, ScalarSet.digits.contains(next) {
            text.unicodeScalars.append(next)
            position += 1
        }
        guard !text.isEmpty else { return nil }
        // Far less than what could overflow where indices are added up.
        guard let number = Int(text), number.magnitude < 1 << 53 else { throw invalid("an index is no integer") }
        return number
    }

    private mutating func takeQuoted() throws(OID4VPError) -> String {
        guard let quote = advance() else { throw invalid("a name is not closed") }
        var name = ""
        while let scalar = advance() {
            if scalar == quote { return name }
            name.unicodeScalars.append(scalar == "\\" ? try takeEscape(quote) : scalar)
        }
        throw invalid("a name is not closed")
    }

    private mutating func takeEscape(_ quote: Unicode.Scalar) throws(OID4VPError) -> Unicode.Scalar {
        switch advance() {
        case quote: return quote
        case "\\": return "\\"
        case "/": return "/"
        case "b": return "\u{8}"
        case "f": return "\u{c}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            let first = try takeUnit()
            guard (0xd800..<0xdc00).contains(first), take("\\"), take("u") else { return try scalar(first) }
            let second = try takeUnit()
            guard (0xdc00..<0xe000).contains(second) else { throw invalid("half of a surrogate pair stands alone") }
            return try scalar(0x1_0000 + (first - 0xd800) << 10 + (second - 0xdc00))
        default: throw invalid("an escape is unknown")
        }
    }

    private mutating func takeUnit() throws(OID4VPError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = advance()?.hexadecimalDigit else { throw invalid("an escape has too few digits") }
            value = value << 4 | digit
        }
        return value
    }

    private func scalar(_ value: UInt32) throws(OID4VPError) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(value) else { throw invalid("an escape is no character") }
        return scalar
    }
}
