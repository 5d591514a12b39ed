extension NotationPrinter {
    /// Writes a byte or text string; the position is after its head.
    mutating func printString(_ head: Head) {
        guard head.isIndefinite else {
            let end = position + Int(truncatingIfNeeded: head.argument)
            write(position..<end, isText: head.major == 3)
            position = end
            return write(indicator(head))
        }
        guard options.showsEncodingIndicators else { return printJoined(isText: head.major == 3) }
        if unsafe bytes[position] == TapeEntry.breakByte {
            // Without a chunk the kind of string must show (RFC 8949 section 8.1).
            position += 1
            return write(head.major == 3 ? "\"\"_" : "''_")
        }
        write("(_ ")
        frames.append(PrinterFrame(extent: .indefinite, separation: .commas, closing: ")"))
    }

    /// Writes the chunks up to the break as one string.
    private mutating func printJoined(isText: Bool) {
        write(isText ? "\"" : "h'")
        while unsafe bytes[position] != TapeEntry.breakByte {
            let head = unsafe Head(at: position, in: bytes)
            position += head.byteCount
            let end = position + Int(truncatingIfNeeded: head.argument)
            writeContent(position..<end, isText: isText)
            position = end
        }
        position += 1
        write(isText ? "\"" : "'")
    }

    private mutating func write(_ range: Range<Int>, isText: Bool) {
        write(isText ? "\"" : "h'")
        writeContent(range, isText: isText)
        write(isText ? "\"" : "'")
    }

    private mutating func writeContent(_ range: Range<Int>, isText: Bool) {
        guard isText else { return unsafe write(Hex.text(bytes[range])) }
        for scalar in unsafe String(decoding: bytes[range], as: UTF8.self).unicodeScalars { writeEscaped(scalar) }
    }

    /// Writes a character of a text as JSON has it (RFC 8259 section 7), escaped where it would not show as itself.
    private mutating func writeEscaped(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": write("\\\"")
        case "\\": write("\\\\")
        case "\n": write("\\n")
        case "\r": write("\\r")
        case "\t": write("\\t")
        case "\u{8}": write("\\b")
        case "\u{c}": write("\\f")
        case _ where scalar.isInvisible:
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                let digits = String(unit, radix: 16)
                write("\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits)
            }
        default: output += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
    }
}
