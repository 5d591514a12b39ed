import CBORKit
import TestSupport
import Testing

/// The text of items in diagnostic notation.
@Suite struct DiagnosticPrintingTests {
    /// Encodings and notations of RFC 8949 appendix A, and of RFC 8949 section 8.1 for encoding indicators.
    static let figures: [(hex: String, notation: String)] = [
        ("00", "0"), ("1818", "24"), ("1bffffffffffffffff", "18446744073709551615"),
        ("c249010000000000000000", "18446744073709551616"), ("3bffffffffffffffff", "-18446744073709551616"),
        ("c349010000000000000000", "-18446744073709551617"), ("20", "-1"), ("3903e7", "-1000"),
        ("f90000", "0.0"), ("f98000", "-0.0"), ("fb3ff199999999999a", "1.1"), ("f97bff", "65504.0"),
        ("fa47c35000", "100000.0"), ("fa7f7fffff", "3.4028234663852886e+38"), ("fb7e37e43c8800759c", "1e+300"),
        ("f90001", "5.960464477539063e-08"), ("f97c00", "Infinity"), ("f97e00", "NaN"), ("f9fc00", "-Infinity"),
        ("fa7f800000", "Infinity_2"), ("fb7ff8000000000000", "NaN_3"), ("fb3ff8000000000000", "1.5_3"),
        ("f4", "false"), ("f5", "true"), ("f6", "null"), ("f7", "undefined"), ("f0", "simple(16)"),
        ("f8ff", "simple(255)"), ("c11a514b67b0", "1(1363896240)"), ("d74401020304", "23(h'01020304')"),
        ("d818456449455446", "24(h'6449455446')"), ("40", "h''"), ("60", "\"\""), ("62225c", "\"\\\"\\\\\""),
        ("62c3bc", "\"ü\""), ("63e6b0b4", "\"水\""), ("64f0908591", "\"\u{10151}\""), ("80", "[]"), ("a0", "{}"),
        ("8301820203820405", "[1, [2, 3], [4, 5]]"), ("a26161016162820203", "{\"a\": 1, \"b\": [2, 3]}"),
        ("5f42010243030405ff", "(_ h'0102', h'030405')"), ("7f657374726561646d696e67ff", "(_ \"strea\", \"ming\")"),
        ("9fff", "[_ ]"), ("9f01820203ff", "[_ 1, [2, 3]]"), ("bf6346756ef5ff", "{_ \"Fun\": true}"),
        ("5fff", "''_"), ("7fff", "\"\"_"), ("1801", "1_0"), ("190001", "1_1"), ("1a00000001", "1_2"),
        ("1b0000000000000001", "1_3"), ("9800", "[_0 ]"), ("b900010102", "{_1 1: 2}"), ("d90001f6", "1_1(null)"),
        ("5801ab", "h'ab'_0"), ("780161", "\"a\"_0"), ("f97e01", "float'7e01'"),
        ("fb7ff0000000000001", "float'7ff0000000000001'"),
    ]

    @Test(arguments: figures)
    func writes(hex: String, notation: String) throws {
        let bytes = try #require([UInt8](hex: hex))
        #expect(try CBORDocument(bytes).root.diagnosticNotation() == notation)
        #expect(try FormedCBOR(decoding: bytes).value.diagnosticNotation() == notation)
    }

    @Test(arguments: [
        ("9f01820203ff", "[1, [2, 3]]"), ("7f657374726561646d696e67ff", "\"streaming\""),
        ("5f420102420304ff", "h'01020304'"),
        ("1b0000000000000001", "1"), ("fb3ff8000000000000", "1.5"), ("bf01d90001f6ff", "{1: 1(null)}"), ("5fff", "h''"),
    ])
    func writesThePreferredFormWithoutIndicators(hex: String, notation: String) throws {
        var options = CBORDiagnosticOptions.compact
        options.showsEncodingIndicators = false
        let bytes = try #require([UInt8](hex: hex))
        #expect(try CBORDocument(bytes).root.diagnosticNotation(options) == notation)
    }

    @Test func indentsWhatIsReadable() {
        let value: CBOR = ["a": [1, [:]], "b": .tagged(24, .bytes(CBOR.array([true, []]).encoded()))]
        let text = """
            {
              "a": [
                1,
                {}
              ],
              "b": 24(<<[
                true,
                []
              ]>>)
            }
            """
        #expect(value.diagnosticNotation(.readable) == text)
    }

    @Test(arguments: [
        ("d81843820102", "24(<<[1, 2]>>)"), ("d818420102", "24(h'0102')"), ("d81840", "24(h'')"),
        ("d8184119", "24(h'19')"), ("d83f420102", "63(<<1, 2>>)"), ("d83f40", "63(<<>>)"), ("d8174101", "23_0(h'01')"),
        ("d818580101", "24(<<1>>_0)"), ("d81847d81844d8184101", "24(<<24(<<24(<<1>>)>>)>>)"), ("d818f6", "24(null)"),
        ("d8185f4101ff", "24((_ h'01'))"), ("d81845a201020101", "24(<<{1: 2, 1: 1}>>)"),
    ])
    func expandsEmbeddedItemsThatCanBeRead(hex: String, notation: String) throws {
        var options = CBORDiagnosticOptions.compact
        options.expandsEmbedded = true
        let bytes = try #require([UInt8](hex: hex))
        var reading = CBORReadingOptions.default
        reading.trailingBytes = .allow
        #expect(try CBORDocument(bytes, options: reading).root.diagnosticNotation(options) == notation)
    }

    @Test func expandsSixteenLevelsOnly() {
        var value: CBOR = 1
        for _ in 0..<20 { value = .tagged(24, .bytes(value.encoded())) }
        var options = CBORDiagnosticOptions.compact
        options.expandsEmbedded = true
        let text = value.diagnosticNotation(options)
        #expect(text.split(separator: "<<").count == 17)
        #expect(text.contains("24(h'"))
    }

    @Test func escapesWhatDoesNotShow() {
        let text = "\u{0}\u{8}\u{c}\t\r\n\u{1b}\u{7f}\u{9b}\u{202e}\u{2066}\u{feff}\u{200b}\u{ad}\u{e0041}/é"
        let notation = #""\u0000\b\f\t\r\n\u001b\u007f\u009b\u202e\u2066\ufeff\u200b\u00ad\udb40\udc41/é""#
        #expect(CBOR.text(text).diagnosticNotation() == notation)
    }

    @Test func indentationStaysBounded() throws {
        let depth = CBORLimits.maximumDepth - 1
        let bytes = [UInt8](repeating: 0x81, count: depth) + [0x80]
        var options = CBORReadingOptions.default
        options.limits.depth = CBORLimits.maximumDepth
        let text = try CBORDocument(bytes, options: options).root.diagnosticNotation(.readable)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 2 * 33 })
    }
}
