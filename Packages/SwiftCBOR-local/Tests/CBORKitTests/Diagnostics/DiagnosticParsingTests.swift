import CBORKit
import TestSupport
import Testing

/// The bytes that texts in diagnostic notation stand for.
@Suite struct DiagnosticParsingTests {
    @Test(arguments: DiagnosticPrintingTests.figures)
    func readsWhatIsWritten(hex: String, notation: String) throws {
        #expect(try CBORDiagnosticNotation.encode(notation).hex == hex)
        #expect(try FormedCBOR(diagnosticNotation: notation).encoded().hex == hex)
    }

    /// Texts, and their encodings in hexadecimal.
    private static let figures: [(String, String)] = [
        // RFC 8610 appendix G.2 and G.3, RFC 8949 section 8: strings.
        ("h'12 34'", "421234"), ("h'/a/ 1 # b'\n 2'", "4112"), ("b64'AQ ID # c'\n'", "43010203"),
        ("b64'-_8='", "42fbff"),
        ("'it\\'s'", "4469742773"), ("'a\nb'", "43610a62"), ("'ü'", "42c3bc"),
        ("\"\\ud83d\\ude00\\/\"", "65f09f98802f"),
        ("\"\\u00e9\\\"\\\\\\b\\f\\n\\r\\t\"", "69c3a9225c080c0a0d09"), ("\"/#,[\"", "642f232c5b"),
        ("<<>>", "40"), ("<<1, [2], h'03'>>", "45018102" + "4103"), ("<<1>>_1", "59000101"),
        ("(_ <<1>>, 'a')", "5f41014161ff"), ("(_ h'01'_1)", "5f59000101ff"),
        // RFC 8949 section 8, RFC 4648 section 10: Base32 and Base32 with the extended hexadecimal alphabet.
        ("b32'MZXW6YTB'", "45666f6f6261"), ("b32'mzxw6===' # f", "43666f6f"), ("h32'CPNMUOJ1'", "45666f6f6261"),
        ("h32'CP NMU # o\n==='", "43666f6f"), ("b32''", "40"), ("h32'co======'", "4166"),
        // RFC 8610 appendix G.4: strings in several parts.
        ("\"Hello \" \"world\"", "6b48656c6c6f20776f726c64"), ("\"Hello\" h'20' \"world\"", "6b48656c6c6f20776f726c64"),
        ("\"\" h'48656c6c6f20776f726c64' \"\"", "6b48656c6c6f20776f726c64"),
        ("'Hello ' + h'776f726c64'", "4b48656c6c6f20776f726c64"), ("'a'/b/+ # c\n'd'", "426164"),
        ("\"\"h'c3'+h'bc'", "62c3bc"), ("['a' 'b', 'c']", "824261624163"), ("(_ 'a' 'b', 'c')", "5f4261624163ff"),
        ("{'a' + 'b': \"c\" \"d\"}", "a142616262" + "6364"), ("'a' 'b'_1", "5900026162"),
        // Times.
        ("dt'1969-07-21T02:56:16Z'", "3a00d80caf"), ("dt'1969-07-21T02:56:16.0Z'", "facb580cb0"),
        ("dt'1969-07-21T02:56:16.5Z'", "fbc16b0195f0000000"), ("DT'1969-07-21T02:56:16Z'", "c13a00d80caf"),
        ("dt'2013-03-21T21:04:00+01:00'", "1a514b67b0"),
        // Numbers.
        ("-0", "00"), ("-0.0", "f98000"), ("0x10000000000000000", "c249010000000000000000"),
        ("-0x10000000000000001", "c349010000000000000000"),
        ("0b" + String(repeating: "1", count: 64), "1bffffffffffffffff"),
        ("0o1777777777777777777777", "1bffffffffffffffff"), ("-18446744073709551616", "3bffffffffffffffff"),
        ("1e3", "f963d0"), ("1.5E+0", "f93e00"), ("0x1.8p1", "f94200"), ("-0x1p-1", "f9b800"), ("0x1.8", "f93e00"),
        ("NaN_2", "fa7fc00000"), ("-Infinity_3", "fbfff0000000000000"), ("float'7fc00001'", "fa7fc00001"),
        ("23_i", "17"), ("-1_0", "3800"), ("simple( 32 )", "f820"), ("simple(20)", "f4"),
        // Containers and blanks.
        ("[_]", "9fff"), ("[_i 1]", "8101"), ("{_3}", "bb0000000000000000"), ("{1:2,1:3}", "a201020103"),
        (" / a / [ 1 / b / , # c\r\n 2 ] # d", "820102"), ("//1", "01"), ("1_0(2)", "d80102"),
        ("24(<<(_ 'a')>>)", "d818445f4161ff"),
        ("18446744073709551615(0)", "dbffffffffffffffff00"),
    ]

    @Test(arguments: figures)
    func reads(notation: String, hex: String) throws {
        #expect(try CBORDiagnosticNotation.encode(notation).hex == hex)
    }

    @Test(arguments: [
        ("", ""), (" # nothing", ""), ("1", "01"), ("1, 2, {}", "0102a0"), ("[1, 2],\n\"a\"", "8201026161"),
    ])
    func readsSequences(notation: String, hex: String) throws {
        let bytes = try CBORDiagnosticNotation.encodeSequence(notation)
        #expect(bytes.hex == hex)
        let documents = try CBORDocument.sequence(bytes)
        for options in [CBORDiagnosticOptions.compact, .readable] {
            let text = CBORDiagnosticNotation.text(ofSequence: documents, options)
            #expect(try CBORDiagnosticNotation.encodeSequence(text) == bytes)
        }
    }

    @Test func keepsFormsInValues() throws {
        let notation = "[_ 1_1, (_ 'a', 'bc')]"
        let formed = try FormedCBOR(diagnosticNotation: notation)
        #expect(formed.value == [1, .bytes(Array("abc".utf8))])
        #expect(formed.value.encoded().hex == "820143616263")
        #expect(formed.encoded().hex == "9f1900015f4161426263ffff")
        #expect(formed.value.diagnosticNotation() == "[_ 1_1, (_ h'61', h'6263')]")
        let value = try CBOR(diagnosticNotation: notation)
        #expect(value == formed.value)
        #expect(value.diagnosticNotation() == "[1, h'616263']")
    }

    @Test func readsIndentedText() throws {
        let value: CBOR = [
            "a": [1, [:], .tagged(24, .bytes(CBOR.map(["x": [.null, 1.5]]).encoded()))], -1: .bytes([1]),
            .null: "\u{202e}",
        ]
        #expect(try CBOR(diagnosticNotation: value.diagnosticNotation(.readable)) == value)
    }

    @Test func readsRandomBigIntegers() throws {
        var generator = RepeatableRandomNumberGenerator(seed: 7)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let number = CBORBigInteger(isNegative: Bool.random(using: &generator), argument: bytes)
            let text = number.cbor.diagnosticNotation()
            #expect(!text.contains("("))
            #expect(try CBOR(diagnosticNotation: text) == number.cbor)
        }
    }

    @Test func readsEveryHalfPrecisionNumber() throws {
        for bits in UInt16.min...UInt16.max {
            let number = CBORFloat(halfBitPattern: bits)
            let bytes = try CBORDiagnosticNotation.encode(CBOR.float(number).diagnosticNotation())
            #expect(bytes == number.encodedInItsPrecision)
        }
    }
}
