import JSONKit
import TestSupport
import Testing

/// RFC 8785.
@Suite struct CanonicalizationTests {
    /// Appendix B, "Number Serialization Samples".
    static let samples: [(bits: UInt64, text: String)] = [
        (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"), (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
        (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"), (0x4340_0000_0000_0000, "9007199254740992"),
        (0xc340_0000_0000_0000, "-9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"), (0x44b5_2d02_c7e1_4af6, "1e+23"),
        (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"), (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
        (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"), (0x444b_1ae4_d6e2_ef50, "1e+21"),
        (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"), (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
        (0x41b3_de43_5555_5553, "333333333.3333332"), (0x41b3_de43_5555_5554, "333333333.33333325"),
        (0x41b3_de43_5555_5555, "333333333.3333333"), (0x41b3_de43_5555_5556, "333333333.3333334"),
        (0x41b3_de43_5555_5557, "333333333.33333343"), (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
        (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
    ]

    @Test(arguments: samples)
    func writesTheNumbersOfAppendixB(bits: UInt64, text: String) throws {
        let value = JSONValue.number(try JSONNumber(Double(bitPattern: bits)))
        #expect(String(decoding: try value.canonicalized(), as: UTF8.self) == text)
        #expect(String(decoding: try JSONValue(parsing: text).canonicalized(), as: UTF8.self) == text)
    }

    @Test(arguments: [0x7fff_ffff_ffff_ffff, 0x7ff0_0000_0000_0000] as [UInt64])
    func refusesTheNumbersOfAppendixBThatHaveNoForm(bits: UInt64) {
        let error = #expect(throws: JSONError.self) { try JSONNumber(Double(bitPattern: bits)) }
        #expect(error?.code == .nonFiniteNumber)
    }

    /// Sections 3.2.2 to 3.2.4: the sample object, and its canonical form in bytes.
    @Test func writesTheSampleObject() throws {
        let sample = #"""
            {
              "numbers": [333333333.33333329, 1E30, 4.50,
                          2e-3, 0.000000000000000000000000001],
              "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
              "literals": [null, true, false]
            }
            """#
        let canonical = """
            7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72
            75 65 2c 66 61 6c 73 65 5d 2c 22 6e 75 6d 62 65 72 73 22 3a
            5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31
            65 2b 33 30 2c 34 2e 35 2c 30 2e 30 30 32 2c 31 65 2d 32 37
            5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30
            30 66 5c 6e 41 27 42 5c 22 5c 5c 5c 5c 5c 22 2f 22 7d
            """
        #expect(try JSONValue(parsing: sample).canonicalized() == [UInt8](hex: canonical))
    }

    /// Section 3.2.3: names sorted as UTF-16 code units.
    @Test func sortsTheSampleNames() throws {
        let sample = #"""
            {
              "\u20ac": "Euro Sign",
              "\r": "Carriage Return",
              "\ufb33": "Hebrew Letter Dalet With Dagesh",
              "1": "One",
              "\ud83d\ude00": "Emoji: Grinning Face",
              "\u0080": "Control",
              "\u00f6": "Latin Small Letter O With Diaeresis"
            }
            """#
        let canonical = try JSONValue(parsing: try JSONValue(parsing: sample).canonicalized())
        #expect(
            canonical.objectValue?.values.map(\.stringValue) == [
                "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign",
                "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh",
            ]
        )
    }

    @Test func sortsLikeUTF16() throws {
        var generator = RepeatableRandomNumberGenerator(seed: 8785)
        let scalars: [Unicode.Scalar] = [
            "\0", "a", "b", "\u{7f}", "\u{80}", "\u{7ff}", "\u{800}", "\u{d7ff}", "\u{e000}", "\u{ee00}", "\u{fb33}",
            "\u{ffff}", "\u{10000}", "\u{1f600}", "\u{10ffff}",
        ]
        for _ in 0..<300 {
            let names = Set(
                (0..<20).map { _ in
                    let length = Int.random(in: 0...4, using: &generator)
                    return (0..<length).map { _ in scalars.randomElement(using: &generator) ?? "a" }
                }
            ).map { String(String.UnicodeScalarView($0)) }
            let object = JSONObject(names.map { ($0, .null) })
            let canonical = try JSONValue(parsing: JSONValue.object(object).canonicalized())
            let expected = names.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
            #expect(canonical.objectValue?.names.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
        }
    }

    @Test(
        arguments: [
            ("9007199254740993", .numberNotExact), ("123456789012345678901", .numberNotExact),
            ("1e400", .numberOutOfRange), ("1e-400", .numberOutOfRange),
        ] as [(String, JSONError.Code)]
    )
    func refusesNumbersThatItWouldChange(number: String, code: JSONError.Code) throws {
        let value = try JSONValue(parsing: #"{"a":[0,{"b c":\#(number)}]}"#)
        let error = #expect(throws: JSONError.self) { try value.canonicalized() }
        #expect(error?.code == code)
        #expect(error?.path.description == #"$.a[1]["b c"]"#)
    }

    @Test(arguments: [
        ("-0", "0"), ("-0.0", "0"), ("0e5", "0"), ("1.0", "1"), ("10e-1", "1"), ("100", "100"), ("1e2", "100"),
        ("1e20", "100000000000000000000"), ("1e21", "1e+21"), ("123456789e13", "1.23456789e+21"),
        ("0.00001", "0.00001"), ("1e-6", "0.000001"), ("1e-7", "1e-7"), ("1.5e-7", "1.5e-7"), ("-1.5e300", "-1.5e+300"),
        ("1.0000000000000000001", "1"), ("0.1e1", "1"), ("12.50", "12.5"),
    ])
    func writesNumbersAsECMAScript(number: String, canonical: String) throws {
        #expect(String(decoding: try JSONValue(parsing: number).canonicalized(), as: UTF8.self) == canonical)
    }

    @Test func randomDoublesReadBackAsThemselves() throws {
        var generator = RepeatableRandomNumberGenerator(seed: 754)
        for round in 0..<40_000 {
            let value =
                round % 2 == 0
                ? Double(bitPattern: generator.next())
                : Double(Int64.random(in: -(1 << 60)...(1 << 60), using: &generator))
            guard value.isFinite else { continue }
            let canonical = try JSONValue.number(JSONNumber(value)).canonicalized()
            let text = String(decoding: canonical, as: UTF8.self)
            #expect(Double(text) == value)
            #expect(try JSONDocument(canonical).root.double() == value)
            #expect(try JSONValue(parsing: canonical).canonicalized() == canonical)
        }
    }

    @Test func isItsOwnCanonicalForm() throws {
        let value = try JSONValue(parsing: #"{"b":[1.50,{"z":null,"a":"\u00e9"}],"a":{}}"#)
        let canonical = try value.canonicalized()
        #expect(String(decoding: canonical, as: UTF8.self) == #"{"a":{},"b":[1.5,{"a":"é","z":null}]}"#)
        #expect(try JSONValue(parsing: canonical).canonicalized() == canonical)
    }
}
