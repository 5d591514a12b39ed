extension NotationPrinter {
    /// The longest bignum that is written in decimal, in bytes: its digits cost the square of its length.
    private static let longestDecimal = 64

    /// Writes a bignum as a decimal number, if its byte string has just the form that such a number stands for.
    mutating func printBigInteger(_ tag: Head) -> Bool {
        let head = unsafe Head(at: position, in: bytes)
        guard head.major == 2, !head.isIndefinite, head.redundantWidth == nil,
            (9...UInt64(Self.longestDecimal)).contains(head.argument)
        else { return false }
        let start = position + head.byteCount
        let end = start + Int(truncatingIfNeeded: head.argument)
        guard unsafe bytes[start] != 0 else { return false }
        var magnitude = unsafe NotationMagnitude(bytes: bytes[start..<end])
        if tag.argument == 3 { magnitude.multiply(by: 1, adding: 1) }
        write((tag.argument == 3 ? "-" : "") + magnitude.decimal)
        position = end
        return true
    }

    /// Writes a simple value or a floating-point number.
    mutating func printMajor7(_ head: Head) {
        guard head.initial < 0xf9 else { return printFloat(head) }
        switch head.argument {
        case 20: write("false")
        case 21: write("true")
        case 22: write("null")
        case 23: write("undefined")
        default: write("simple(\(head.argument))")
        }
    }

    private mutating func printFloat(_ head: Head) {
        let number = CBORFloat(initialByte: head.initial, bits: head.argument)
        if number.value.isNaN, number.value.bitPattern != Double.nan.bitPattern {
            // Only the bits tell one NaN from another.
            let digits = String(head.argument, radix: 16)
            let count = 2 << Int(head.information - CBORWidth.one.rawValue)
            return write("float'" + String(repeating: "0", count: max(0, count - digits.count)) + digits + "'")
        }
        write(Self.decimal(number.value))
        guard options.showsEncodingIndicators, !number.isShortest else { return }
        write("_\(head.information - CBORWidth.one.rawValue)")
    }

    private static func decimal(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        guard value.isInfinite else { return value.description }
        return value < 0 ? "-Infinity" : "Infinity"
    }
}
