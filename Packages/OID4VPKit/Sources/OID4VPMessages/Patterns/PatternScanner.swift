/// Takes the tokens of a regular expression (ECMA-262, section 22.2.1 and annex B.1.2).
struct PatternScanner {
    /// The meaning of an escape.
    enum Escape {
        case set(ScalarSet)
        case condition(PatternProgram.Condition)
    }

    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    var count: Int { scalars.count }

    func invalid(_ message: String) -> OID4VPError {
        OID4VPError(.invalidPattern, "\(message), before character \(position)")
    }

    func unsupported(_ feature: String) -> OID4VPError {
        OID4VPError(.unsupportedPattern, "a regular expression has \(feature), before character \(position)")
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    mutating func take() -> Unicode.Scalar? {
        guard let next else { return nil }
        position += 1
        return next
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    /// Takes `{n}`, `{n,}` or `{n,m}` without its opening brace; nil, and nothing taken, for anything else.
    mutating func takeCount() throws(OID4VPError) -> (least: Int, most: Int?)? {
        let start = position
        guard let least = takeNumber() else {
            position = start
            return nil
        }
        var most: Int? = least
        if take(",") { most = takeNumber() }
        guard take("}") else {
            position = start
            return nil
        }
        if let most, most < least { throw invalid("a quantifier counts down") }
        return (least, most)
    }

    /// Takes decimal digits; a number beyond all limits is one beyond all limits.
    private mutating func takeNumber() -> Int? {
        var number: Int?
        while let digit = next, ScalarSet.digits.contains(digit) {
            number = min((number ?? 0) * 10 + Int(digit.value - 0x30), 1_000_000)
            position += 1
        }
        return number
    }

    mutating func takeGroupName() throws(OID4VPError) {
        let start = position
        while let scalar = take() {
            if scalar == ">", position > start + 1 { return }
            guard ScalarSet.word.contains(scalar) || scalar == "$" || !scalar.isASCII else { break }
        }
        throw invalid("a group has no proper name")
    }

    // MARK: Escapes

    mutating func takeEscape() throws(OID4VPError) -> Escape {
        guard let scalar = take() else { throw invalid("nothing follows a backslash") }
        switch scalar {
        case "b": return .condition(.wordBoundary)
        case "B": return .condition(.notWordBoundary)
        case "k": throw unsupported("a back-reference")
        case "1"..."9": throw unsupported("a back-reference")
        default: return .set(try set(ofEscape: scalar))
        }
    }

    /// The scalars of an escape that may stand in a class, too.
    private mutating func set(ofEscape scalar: Unicode.Scalar) throws(OID4VPError) -> ScalarSet {
        switch scalar {
        case "d": return .digits
        case "D": return ScalarSet.digits.inverted
        case "w": return .word
        case "W": return ScalarSet.word.inverted
        case "s": return .space
        case "S": return ScalarSet.space.inverted
        case "p", "P": throw unsupported("a property of characters")
        case "t": return ScalarSet("\t")
        case "n": return ScalarSet("\n")
        case "v": return ScalarSet("\u{b}")
        case "f": return ScalarSet("\u{c}")
        case "r": return ScalarSet("\r")
        case "0":
            if let next, ScalarSet.digits.contains(next) { throw unsupported("an octal escape") }
            return ScalarSet("\0")
        case "x": return ScalarSet(try self.scalar(try takeHexadecimal(2)))
        case "u": return ScalarSet(try takeUnicodeEscape())
        case "c":
            guard let letter = take(), letter.isASCII, letter.properties.isAlphabetic else {
                throw invalid("no letter follows \\c")
            }
            return ScalarSet(try self.scalar(letter.value % 32))
        case _ where scalar.isASCII && !ScalarSet.word.contains(scalar): return ScalarSet(scalar)
        default: throw invalid("an escape is unknown")
        }
    }

    private mutating func takeUnicodeEscape() throws(OID4VPError) -> Unicode.Scalar {
        if take("{") {
            var value: UInt32 = 0
            var digits = 0
            while let digit = take() {
                if digit == "}", digits > 0 { return try scalar(value) }
                guard let number = digit.hexadecimalDigit, value <= 0x10_ffff else { break }
                value = value << 4 | number
                digits += 1
            }
            throw invalid("\\u{ has no proper number")
        }
        let first = try takeHexadecimal(4)
        guard (0xd800..<0xdc00).contains(first), take("\\"), take("u") else { return try scalar(first) }
        let second = try takeHexadecimal(4)
        guard (0xdc00..<0xe000).contains(second) else { throw invalid("half of a surrogate pair stands alone") }
        return try scalar(0x1_0000 + (first - 0xd800) << 10 + (second - 0xdc00))
    }

    private mutating func takeHexadecimal(_ count: Int) throws(OID4VPError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let digit = take()?.hexadecimalDigit else { throw invalid("an escape has too few digits") }
            value = value << 4 | digit
        }
        return value
    }

    private func scalar(_ value: UInt32) throws(OID4VPError) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(value) else { throw invalid("an escape is no character") }
        return scalar
    }

    // MARK: Classes

    /// Takes a class without its opening bracket.
    mutating func takeClass() throws(OID4VPError) -> ScalarSet {
        let isInverted = take("^")
        var set = ScalarSet([])
        while let scalar = take() {
            if scalar == "]" { return isInverted ? set.inverted : set }
            let first = try classAtom(scalar)
            guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                set.formUnion(first)
                continue
            }
            position += 1
            guard let lastScalar = take() else { break }
            let last = try classAtom(lastScalar)
            guard let lower = first.only, let upper = last.only, lower <= upper else {
                throw invalid("a range of a class has no proper ends")
            }
            set.formUnion(ScalarSet([lower...upper]))
        }
        throw invalid("a class is not closed")
    }

    private mutating func classAtom(_ scalar: Unicode.Scalar) throws(OID4VPError) -> ScalarSet {
        guard scalar == "\\" else { return ScalarSet(scalar) }
        guard let escaped = take() else { throw invalid("nothing follows a backslash") }
        switch escaped {
        case "b": return ScalarSet("\u{8}")
        case "-": return ScalarSet("-")
        default: return try set(ofEscape: escaped)
        }
    }
}

extension ScalarSet {
    /// The scalar of a set of one.
    fileprivate var only: UInt32? {
        guard !isInverted, ranges.count == 1, let range = ranges.first, range.count == 1 else { return nil }
        return range.lowerBound
    }
}
