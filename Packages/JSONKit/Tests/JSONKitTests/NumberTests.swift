import JSONKit
import Testing

@Suite struct NumberTests {
    /// RFC 8259, section 6: a number is good if each of its parts is, however many digits they have.
    @Test(arguments: [1, 7, 8, 9, 17])
    func acceptsExactlyTheGrammar(digits: Int) {
        let run = String(repeating: "7", count: digits)
        let integers = ["0", run, "-0", "-\(run)"]
        let fractions = ["", ".0", ".\(run)"]
        let exponents = ["", "e\(run)", "e+\(run)", "E-0"]
        for integer in integers + ["", "-", "--1", "0\(run)", "-0\(run)"] {
            for fraction in fractions + [".", ".\(run).", "..\(run)", ".-\(run)"] {
                for exponent in exponents + ["e", "e+", "e\(run)-", "e\(run).0", "ee\(run)"] {
                    let text = integer + fraction + exponent
                    let isNumber =
                        integers.contains(integer) && fractions.contains(fraction) && exponents.contains(exponent)
                    #expect(((try? JSONDocument("[\(text)]")) != nil) == (isNumber || text.isEmpty))
                    #expect(((try? JSONNumber(text: text)) != nil) == isNumber)
                }
            }
        }
    }

    @Test(arguments: ["0", "-0", "12", "-1.50", "1e5", "1E-5", "123456789012345678901234567890.123e-7"])
    func keepsItsText(text: String) throws {
        #expect(try JSONNumber(text: text).text == text)
        #expect(try JSONNumber(text: text).description == text)
        #expect(try JSONDocument("[\(text)]").root[0]?.number().text == text)
        #expect(try JSONValue(parsing: text).text() == text)
    }

    @Test(arguments: ["", " 1", "1 ", "+1", "01", "1.", ".1", "0x1", "NaN", "\"1\"", "[1]", "null", "1,2"])
    func refusesOtherTexts(text: String) {
        let error = #expect(throws: JSONError.self) { try JSONNumber(text: text) }
        #expect(error?.code == .invalidNumber)
    }

    @Test func takesNumbersOfAnyLength() throws {
        let digits = String(repeating: "7", count: 100_000)
        #expect(try JSONNumber(text: digits).text == digits)
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("0e99999999999999999999", 0), ("0.000", 0), ("12", 12), ("-12", -12), ("12.0", 12),
            ("1.2e1", 12), ("120e-1", 12), ("0.0012e4", 12), ("1200000000000000000000000e-23", 12), ("-1.2E+1", -12),
            ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9.223372036854775807e18", .max),
            ("10e17", 1_000_000_000_000_000_000), ("0.5e1", 5), ("100", 100), ("1e0", 1),
        ] as [(String, Int)]
    )
    func becomesAnInteger(text: String, value: Int) throws {
        #expect(try JSONNumber(text: text).integer() == value)
        #expect(try JSONDocument("[\(text)]").root[0]?.integer() == value)
    }

    @Test(
        arguments: [
            ("0.5", .numberNotExact), ("1.5", .numberNotExact), ("1e-1", .numberNotExact), ("12.3e0", .numberNotExact),
            ("1e-99999999999999999999", .numberNotExact), ("9223372036854775807.5", .numberNotExact),
            ("9223372036854775808", .numberOutOfRange), ("-9223372036854775809", .numberOutOfRange),
            ("1e19", .numberOutOfRange), ("1e99999999999999999999", .numberOutOfRange),
            ("123456789012345678901234567890", .numberOutOfRange),
        ] as [(String, JSONError.Code)]
    )
    func refusesToChangeForAnInteger(text: String, code: JSONError.Code) throws {
        let error = #expect(throws: JSONError.self) { try JSONNumber(text: text).integer(as: Int.self) }
        #expect(error?.code == code)
        let viewError = #expect(throws: JSONError.self) { try JSONDocument("[\(text)]").root[0]?.integer(as: Int.self) }
        #expect(viewError?.code == code)
        #expect(viewError?.offset == 1)
        #expect(viewError?.path.description == "$[0]")
    }

    @Test func checksTheRangeOfEveryType() throws {
        try expectRange(Int8.self)
        try expectRange(Int16.self)
        try expectRange(Int32.self)
        try expectRange(Int64.self)
        try expectRange(Int128.self)
        try expectRange(UInt8.self)
        try expectRange(UInt16.self)
        try expectRange(UInt32.self)
        try expectRange(UInt64.self)
        try expectRange(UInt128.self)
    }

    private func expectRange<Integer: FixedWidthInteger>(_ type: Integer.Type) throws {
        #expect(try JSONNumber(Integer.max).integer(as: type) == Integer.max)
        #expect(try JSONNumber(Integer.min).integer(as: type) == Integer.min)
        for text in [
            "\(Integer.max)0", "\(successor(of: "\(Integer.max)"))", Integer.isSigned ? "\(Integer.min)0" : "-1",
        ] {
            let error = #expect(throws: JSONError.self) { try JSONNumber(text: text).integer(as: type) }
            #expect(error?.code == .numberOutOfRange)
        }
    }

    /// The decimal text of a number plus one; none of the numbers here ends in 9.
    private func successor(of text: String) -> String {
        let last = text.last?.wholeNumberValue ?? 0
        return text.dropLast() + "\(last + 1)"
    }

    @Test(
        arguments: [
            ("0", 0), ("1.5", 1.5), ("0.1", 0.1), ("1e-7", 1e-7), ("5e-324", .leastNonzeroMagnitude), ("1e22", 1e22),
            ("1e23", 1e23),
            ("-123.456e-7", -123.456e-7), ("1.7976931348623157e308", .greatestFiniteMagnitude),
            ("9007199254740992", 9_007_199_254_740_992), ("9007199254740994", 9_007_199_254_740_994),
            ("333333333.33333329", 333_333_333.33333329), ("295147905179352825856", 0x1p68),
            ("295147905179352830000", 0x1p68), ("9007199254740993.0", 9_007_199_254_740_992),
            ("123456789012345678e-1", 12_345_678_901_234_567.8), ("1000000000000000000000000000000", 1e30),
            ("0.1000000000000000055511151231257827", 0.1),
            ("2.2250738585072011e-308", Double(bitPattern: 0x000f_ffff_ffff_ffff)),
        ] as [(String, Double)]
    )
    func becomesADouble(text: String, value: Double) throws {
        #expect(try JSONNumber(text: text).double() == value)
        #expect(try JSONNumber(text: text).nearestDouble() == value)
        #expect(try JSONDocument(text).root.double() == value)
    }

    @Test func keepsTheSignOfZero() throws {
        #expect(try JSONNumber(text: "-0").double().sign == .minus)
        #expect(try JSONNumber(text: "-0.0e5").double().sign == .minus)
        #expect(try JSONNumber(text: "0").double().sign == .plus)
        #expect(try JSONNumber(-0.0).text == "-0")
    }

    @Test(arguments: ["9007199254740993", "-9007199254740993", "12345678901234567891", "295147905179352825857"])
    func refusesToChangeAnIntegerForADouble(text: String) throws {
        let error = #expect(throws: JSONError.self) { try JSONNumber(text: text).double() }
        #expect(error?.code == .numberNotExact)
        let viewError = #expect(throws: JSONError.self) { try JSONDocument("{\"n\":\(text)}").root["n"]?.double() }
        #expect(viewError?.code == .numberNotExact)
        #expect(viewError?.path.description == "$.n")
        #expect(try JSONNumber(text: text).nearestDouble() == Double(text))
    }

    @Test(arguments: [
        "1e309", "-1e309", "1.7976931348623159e308", "1e-400", "1e99999999999999999999", "1e-99999999999",
    ])
    func refusesWhatLiesBeyondDouble(text: String) throws {
        for read in [JSONNumber.double, JSONNumber.nearestDouble] {
            let error = #expect(throws: JSONError.self) { try read(JSONNumber(text: text))() }
            #expect(error?.code == .numberOutOfRange)
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
    func refusesWhatIsNotFinite(value: Double) {
        let error = #expect(throws: JSONError.self) { try JSONNumber(value) }
        #expect(error?.code == .nonFiniteNumber)
    }

    @Test(arguments: [
        ("1", "1.0", true), ("1", "1e0", true), ("10", "1e1", true), ("100e-2", "1", true), ("0", "-0", true),
        ("0", "0e5", true), ("0.001", "1e-3", true), ("12.5", "125e-1", true), ("1.25", "12.5e-1", true),
        ("1", "-1", false), ("1", "2", false), ("12.5", "1.25", false), ("1", "0", false), ("101", "11", false),
        ("1e99999999999999999999", "1e99999999999999999998", false), ("0e99999999999999999999", "0", true),
        ("1e99999999999999999999", "1e99999999999999999999", true),
    ])
    func comparesValues(a: String, b: String, same: Bool) throws {
        let (a, b) = (try JSONNumber(text: a), try JSONNumber(text: b))
        #expect(a.hasSameValue(as: b) == same)
        #expect(b.hasSameValue(as: a) == same)
        #expect((a == b) == (a.text == b.text))
    }

    @Test func messagesStayShort() throws {
        let error = #expect(throws: JSONError.self) {
            try JSONNumber(text: String(repeating: "1", count: 4000)).integer(as: Int.self)
        }
        #expect(try #require(error).message.utf8.count < 100)
    }
}
