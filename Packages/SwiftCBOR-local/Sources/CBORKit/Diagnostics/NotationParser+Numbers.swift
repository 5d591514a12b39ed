extension NotationParser {
    /// Reads a number, which may be that of a tag.
    mutating func parseNumber(at start: Int) throws(CBORError) {
        let isNegative = scanner.skip("-")
        if isNegative, scanner.skip("Infinity") {
            try checkChunk(major: nil, at: start)
            return try append(-.infinity, at: start)
        }
        try checkChunk(major: nil, at: start)
        let radix = takeRadix()
        let digits = takeDigits(radix)
        guard !digits.isEmpty else { throw scanner.error("a digit is missing") }
        let hasFraction = try takeFraction(radix)
        try checkNumberLength(from: start)
        guard !hasFraction else { return try parseFloat(from: start, radix: radix) }
        guard radix != 10 || digits.count == 1 || digits.first != UInt8(ascii: "0") else {
            throw scanner.error("a decimal number has no leading zeros", at: start)
        }
        try append(Self.magnitude(digits, radix), isNegative: isNegative, at: start)
    }

    private mutating func takeRadix() -> UInt8 {
        if scanner.skip("0x") || scanner.skip("0X") { return 16 }
        if scanner.skip("0o") || scanner.skip("0O") { return 8 }
        return scanner.skip("0b") || scanner.skip("0B") ? 2 : 10
    }

    private mutating func takeDigits(_ radix: UInt8) -> ArraySlice<UInt8> {
        scanner.take { $0.notationDigitValue.map { $0 < radix } ?? false }
    }

    /// Passes over a fraction and an exponent, and returns whether there is one of them.
    private mutating func takeFraction(_ radix: UInt8) throws(CBORError) -> Bool {
        guard radix == 10 || radix == 16 else { return false }
        let start = scanner.position
        if scanner.skip("."), takeDigits(radix).isEmpty { throw scanner.error("a digit is missing") }
        let exponent = UInt8(ascii: radix == 10 ? "e" : "p")
        if let byte = scanner.next, byte | 0x20 == exponent {
            scanner.position += 1
            _ = scanner.skip("-") || scanner.skip("+")
            guard !takeDigits(10).isEmpty else { throw scanner.error("a digit is missing") }
        }
        return scanner.position > start
    }

    private func checkNumberLength(from start: Int) throws(CBORError) {
        let limit = CBORDiagnosticNotation.maximumNumberLength
        guard scanner.position - start <= limit else {
            throw CBORError(.limitExceeded, "the number has more than \(limit) characters", offset: start)
        }
    }

    private mutating func parseFloat(from start: Int, radix: UInt8) throws(CBORError) {
        var text = String(decoding: scanner.text[start..<scanner.position], as: UTF8.self)
        if radix == 16, !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "p") }) { text += "p0" }
        guard let value = Double(text), value.isFinite else {
            throw scanner.error("the number is beyond the range of binary64", at: start)
        }
        try append(value, at: start)
    }

    private static func magnitude(_ digits: ArraySlice<UInt8>, _ radix: UInt8) -> NotationMagnitude {
        var magnitude = NotationMagnitude()
        // Seven digits to the base 16 or nine to the base 10 fit a limb: fewer passes over long numbers.
        let width = radix == 16 ? 7 : 9
        var rest = digits
        while !rest.isEmpty {
            let part = rest.prefix(width)
            let value = part.reduce(0 as UInt32) { $0 * UInt32(radix) + UInt32($1.notationDigitValue ?? 0) }
            magnitude.multiply(by: part.reduce(1) { scale, _ in scale * UInt32(radix) }, adding: value)
            rest = rest.dropFirst(width)
        }
        return magnitude
    }

    /// Appends an integer, a bignum or the head of a tag, and opens the tag.
    private mutating func append(_ magnitude: NotationMagnitude, isNegative: Bool, at start: Int) throws(CBORError) {
        let indicator = try scanner.takeIndicator()
        var argument = magnitude
        let isBelowZero = isNegative && !magnitude.isZero
        if isBelowZero { argument.decrement() }
        let number = CBORBigInteger(isNegative: isBelowZero, argument: argument.bytes)
        if scanner.next == UInt8(ascii: "(") { return try openTag(number, indicator, isNegative, at: start) }
        switch number.cbor {
        case .unsigned(let argument): output += try head(0, argument, indicator, at: start)
        case .negative(let argument): output += try head(1, argument, indicator, at: start)
        case let bignum:
            guard indicator == nil else { throw scanner.error("a bignum takes no encoding indicator", at: start) }
            output += bignum.encoded(.formed)
        }
    }

    private mutating func openTag(
        _ number: CBORBigInteger,
        _ indicator: NotationIndicator?,
        _ isNegative: Bool,
        at start: Int
    ) throws(CBORError) {
        guard !isNegative, case .unsigned(let tag) = number.cbor else {
            throw scanner.error("there is no tag with this number", at: start)
        }
        scanner.position += 1
        output += try head(6, tag, indicator, at: start)
        try open(.tag, at: start)
    }
}
