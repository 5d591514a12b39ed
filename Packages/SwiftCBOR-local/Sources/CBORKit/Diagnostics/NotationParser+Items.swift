extension NotationParser {
    /// Reads the item at the position, or opens it if it has others in it.
    mutating func parseItem() throws(CBORError) {
        let start = scanner.position
        switch scanner.next {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): try parseString(prefix: "", at: start)
        case UInt8(ascii: "["): try parseOpening(.array, at: start)
        case UInt8(ascii: "{"): try parseOpening(.map, at: start)
        case UInt8(ascii: "("): try parseChunks(at: start)
        case UInt8(ascii: "<"): try parseEmbedded(at: start)
        case UInt8(ascii: "-"): try parseNumber(at: start)
        case .some(let byte) where byte.isNotationDigit: try parseNumber(at: start)
        case .some(let byte) where byte.isNotationWordByte: try parseWord(at: start)
        default: throw scanner.error("expected an item")
        }
    }

    private mutating func parseOpening(_ kind: ParserFrame.Kind, at start: Int) throws(CBORError) {
        try checkChunk(major: nil, at: start)
        scanner.position += 1
        let indicator = try scanner.takeIndicator()
        try open(kind, at: start, indicator: indicator)
    }

    private mutating func parseChunks(at start: Int) throws(CBORError) {
        try checkChunk(major: nil, at: start)
        scanner.position += 1
        guard try scanner.takeIndicator() == .indefinite else { throw scanner.error("expected (_", at: start) }
        try open(.chunks, at: start)
    }

    private mutating func parseEmbedded(at start: Int) throws(CBORError) {
        guard scanner.skip("<<") else { throw scanner.error("expected <<") }
        try checkChunk(major: 2, at: start)
        try open(.embedded, at: start)
    }

    /// Reads what begins with a letter: a name, or a string with a prefix.
    private mutating func parseWord(at start: Int) throws(CBORError) {
        let word = String(decoding: scanner.take { $0.isNotationWordByte && $0 != UInt8(ascii: "_") }, as: UTF8.self)
        if scanner.next == UInt8(ascii: "'") { return try parseString(prefix: word, at: start) }
        try checkChunk(major: nil, at: start)
        switch word {
        case "false": output.append(0xf4)
        case "true": output.append(0xf5)
        case "null": output.append(0xf6)
        case "undefined": output.append(0xf7)
        case "simple": try parseSimple(at: start)
        case "NaN": try append(.nan, at: start)
        case "Infinity": try append(.infinity, at: start)
        default: throw scanner.error("there is no such name", at: start)
        }
    }

    /// Reads the number of a simple value in its parentheses.
    private mutating func parseSimple(at start: Int) throws(CBORError) {
        guard scanner.skip("(") else { throw scanner.error("expected (") }
        try scanner.skipBlank()
        let digits = scanner.take { $0.isNotationDigit }
        try scanner.skipBlank()
        guard scanner.skip(")") else { throw scanner.error("expected the number of a simple value and )") }
        let number = UInt8(String(decoding: digits, as: UTF8.self)).flatMap(CBORSimpleValue.init)
        guard let number else { throw scanner.error("there is no such simple value", at: start) }
        HeadWriter.append(7, UInt64(number.rawValue), to: &output)
    }

    /// Appends a floating-point number in the precision that an indicator demands, or the shortest.
    mutating func append(_ value: Double, at start: Int) throws(CBORError) {
        switch try scanner.takeIndicator() {
        case nil: output += CBOR.double(value).encoded(.formed)
        case .width(let width):
            guard let precision = CBORFloat.Precision(rawValue: width.rawValue) else {
                throw scanner.error("no floating-point number has this width", at: start)
            }
            guard let number = CBORFloat(value, precision: precision) else {
                throw scanner.error("the number does not fit the precision", at: start)
            }
            output += CBOR.float(number).encoded(.formed)
        case .indefinite, .immediate: throw scanner.error("no floating-point number has this width", at: start)
        }
    }
}
