extension NotationParser {
    /// Reads a string from its quotation mark on, with the prefix that was read before it, and the strings it continues in.
    mutating func parseString(prefix: String, at start: Int) throws(CBORError) {
        switch prefix {
        case "float": return try parseFloatBits(at: start)
        case "dt", "DT": return try parseTime(isTagged: prefix == "DT", at: start)
        case "ip", "IP": return try parseAddress(isTagged: prefix == "IP", at: start)
        default: break
        }
        let isText = scanner.next == UInt8(ascii: "\"")
        try checkChunk(major: isText ? 3 : 2, at: start)
        var content = try content(prefix: prefix, at: start)
        var indicator = try scanner.takeIndicator()
        if indicator == .indefinite { return try appendWithoutChunks(content, prefix, isText, at: start) }
        while indicator == nil, let part = try takeFurtherPart() {
            content += part
            indicator = try scanner.takeIndicator()
        }
        try checkLength(content.count, at: start)
        // Bytes may continue a text.
        guard !isText || String(validating: content, as: UTF8.self) != nil else {
            throw scanner.error("the text is not UTF-8", at: start)
        }
        output += try head(isText ? 3 : 2, UInt64(content.count), indicator, at: start)
        output += content
    }

    /// Reads the next part of a string, after `+` or without it (RFC 8610 appendix G.4); nil if absent.
    private mutating func takeFurtherPart() throws(CBORError) -> [UInt8]? {
        try scanner.skipBlank()
        let isJoined = scanner.skip("+")
        if isJoined { try scanner.skipBlank() }
        let start = scanner.position
        let prefix = String(decoding: scanner.take { $0.isNotationWordByte && $0 != UInt8(ascii: "_") }, as: UTF8.self)
        let isText = prefix.isEmpty && scanner.next == UInt8(ascii: "\"")
        if isText || scanner.next == UInt8(ascii: "'") { return try content(prefix: prefix, at: start) }
        scanner.position = start
        guard !isJoined else { throw scanner.error("expected a string") }
        return nil
    }

    private mutating func content(prefix: String, at start: Int) throws(CBORError) -> [UInt8] {
        switch prefix {
        case "": return try takeEscaped(at: start)
        case "h": return try takeHex(at: start)
        case "b64": return try takeEncoded(at: start) { Base64.bytes($0) }
        case "b32": return try takeEncoded(at: start) { Base32.bytes($0, alphabet: .standard) }
        case "h32": return try takeEncoded(at: start) { Base32.bytes($0, alphabet: .extendedHex) }
        default: throw scanner.error("strings have no such prefix", at: start)
        }
    }

    /// Appends `""_` or `''_`: a string of indefinite length without a chunk, which must not be a chunk itself.
    private mutating func appendWithoutChunks(
        _ content: [UInt8],
        _ prefix: String,
        _ isText: Bool,
        at start: Int
    ) throws(CBORError) {
        guard content.isEmpty, prefix.isEmpty else {
            throw scanner.error("a string with content has its chunks in (_ )", at: start)
        }
        try checkChunk(major: nil, at: start)
        output += [isText ? 0x7f : 0x5f, TapeEntry.breakByte]
    }

    /// Reads the bits of a floating-point number in hexadecimal, `float'7e01'`.
    private mutating func parseFloatBits(at start: Int) throws(CBORError) {
        try checkChunk(major: nil, at: start)
        let bits = try takeHex(at: start)
        switch bits.count {
        case 2: output.append(0xf9)
        case 4: output.append(0xfa)
        case 8: output.append(0xfb)
        default: throw scanner.error("a floating-point number has 2, 4 or 8 bytes", at: start)
        }
        output += bits
    }

    /// Reads hexadecimal digits between quotation marks, where white space and comments may stand.
    private mutating func takeHex(at start: Int) throws(CBORError) -> [UInt8] {
        var bytes: [UInt8] = []
        var high: UInt8?
        scanner.position += 1
        while true {
            try scanner.skipBlank()
            guard let byte = scanner.next else { throw scanner.error("the string is not closed", at: start) }
            if byte == UInt8(ascii: "'") { break }
            guard let digit = byte.notationDigitValue else { throw scanner.error("this is no hexadecimal digit") }
            scanner.position += 1
            if let first = high { bytes.append(first << 4 | digit) }
            high = high == nil ? digit : nil
        }
        guard high == nil else { throw scanner.error("a hexadecimal digit is missing") }
        scanner.position += 1
        return bytes
    }

    /// Reads a date and time (RFC 3339) as the seconds since 1970-01-01T00:00Z: `dt'…'` a number, `DT'…'` one in tag 1.
    private mutating func parseTime(isTagged: Bool, at start: Int) throws(CBORError) {
        try checkChunk(major: nil, at: start)
        let text = String(decoding: try takeEscaped(at: start), as: UTF8.self)
        guard let time = CBORDateTime(text) else { throw scanner.error("this is no date and time", at: start) }
        if isTagged { HeadWriter.append(6, CBORTag.epochTime, to: &output) }
        let fraction = Double(time.nanosecond) / 1e9
        let seconds: CBOR =
            time.hasFraction ? .double(Double(time.secondsSinceEpoch) + fraction) : CBOR(time.secondsSinceEpoch)
        output += seconds.encoded(.formed)
    }

    /// Reads the characters of an encoding between quotation marks, where white space and `#` comments may stand.
    private mutating func takeEncoded(at start: Int, bytes: ([UInt8]) -> [UInt8]?) throws(CBORError) -> [UInt8] {
        var characters: [UInt8] = []
        scanner.position += 1
        while let byte = scanner.next, byte != UInt8(ascii: "'") {
            switch byte {
            case UInt8(ascii: "#"): scanner.skipLineComment()
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): scanner.position += 1
            default:
                characters.append(byte)
                scanner.position += 1
            }
        }
        guard scanner.next != nil else { throw scanner.error("the string is not closed", at: start) }
        scanner.position += 1
        guard let bytes = bytes(characters) else {
            throw scanner.error("these characters do not stand for bytes", at: start)
        }
        return bytes
    }

    /// Reads the characters between two equal quotation marks, in UTF-8.
    mutating func takeEscaped(at start: Int) throws(CBORError) -> [UInt8] {
        guard let quote = scanner.next else { return [] }
        var bytes: [UInt8] = []
        scanner.position += 1
        while let byte = scanner.next, byte != quote {
            if byte == UInt8(ascii: "\\") {
                bytes += try takeEscape()
            } else {
                // Byte strings may span lines (RFC 8610 section 3.1), text strings are those of JSON.
                let isLineEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
                guard byte >= 0x20 || isLineEnd && quote == UInt8(ascii: "'") else {
                    throw scanner.error("a control character must be escaped")
                }
                bytes.append(byte)
                scanner.position += 1
            }
        }
        guard scanner.next != nil else { throw scanner.error("the string is not closed", at: start) }
        scanner.position += 1
        return bytes
    }

    /// Reads an escape of JSON (RFC 8259 section 7), or `\'`.
    private mutating func takeEscape() throws(CBORError) -> [UInt8] {
        let start = scanner.position
        guard let name = scanner.peek(1) else { throw scanner.error("the string is not closed", at: start) }
        scanner.position += 2
        switch name {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"): return [name]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0c]
        case UInt8(ascii: "n"): return [0x0a]
        case UInt8(ascii: "r"): return [0x0d]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return try takeUnicodeEscape(at: start)
        default: throw scanner.error("there is no such escape", at: start)
        }
    }

    /// Reads the digits after `\u`, and a second escape where the first is half of a surrogate pair, or the digits in
    /// braces, `\u{1f600}`.
    private mutating func takeUnicodeEscape(at start: Int) throws(CBORError) -> [UInt8] {
        if scanner.skip("{") { return try takeScalar(at: start) }
        var value = try takeCodeUnit(at: start)
        if 0xd800..<0xdc00 ~= value, scanner.skip("\\u") {
            let low = try takeCodeUnit(at: start)
            guard 0xdc00..<0xe000 ~= low else { throw scanner.error("half of a surrogate pair is missing", at: start) }
            value = 0x10000 + ((value - 0xd800) << 10 | (low - 0xdc00))
        }
        guard let scalar = Unicode.Scalar(value), let bytes = UTF8.encode(scalar) else {
            throw scanner.error("half of a surrogate pair is missing", at: start)
        }
        return Array(bytes)
    }

    /// Reads the digits of a code point up to the closing brace.
    private mutating func takeScalar(at start: Int) throws(CBORError) -> [UInt8] {
        let digits = scanner.take { $0.notationDigitValue != nil }
        let number = digits.drop { $0 == UInt8(ascii: "0") }
        guard !digits.isEmpty, number.count <= 6, scanner.skip("}") else {
            throw scanner.error(
                "an escape in braces has hexadecimal digits, at most six of them after leading zeros",
                at: start
            )
        }
        let value = number.reduce(0) { $0 << 4 | UInt32($1.notationDigitValue ?? 0) }
        guard let scalar = Unicode.Scalar(value), let bytes = UTF8.encode(scalar) else {
            throw scanner.error("there is no character with this number", at: start)
        }
        return Array(bytes)
    }

    private mutating func takeCodeUnit(at start: Int) throws(CBORError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = scanner.next?.notationDigitValue else {
                throw scanner.error("an escape has four hexadecimal digits", at: start)
            }
            value = value << 4 | UInt32(digit)
            scanner.position += 1
        }
        return value
    }
}
