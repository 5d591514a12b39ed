import CBORKit
import TestSupport
import Testing

/// Texts that are not diagnostic notation, and where that shows.
@Suite struct DiagnosticRefusalTests {
    /// Texts, and the offset of each error.
    private static let refusals: [(String, Int)] = [
        // Items and separators.
        ("", 0), (" # only a comment", 17), ("1 2", 2), ("1, 2", 1), ("]", 0), ("[1", 2), ("[", 1), ("[1,]", 3),
        ("[1,,2]", 3),
        ("[,1]", 1), ("[1 2]", 3), ("{1}", 2), ("{1:}", 3), ("{1:2,}", 5), ("{1,2}", 2), ("{1:2:3}", 4), ("[1}", 2),
        ("[1))", 2), ("/ open", 0), ("[1 / open", 3), ("1(", 2), ("1()", 2), ("1(2, 3)", 3), ("1(2", 3), ("<1>", 0),
        ("<<1>", 3), ("<<1", 3), ("?", 0), ("\u{fc}", 0),
        // Names.
        ("nul", 0), ("True", 0), ("infinity", 0), ("-infinity", 1), ("simple", 6), ("simple()", 0), ("simple(24)", 0),
        ("simple(256)", 0), ("simple(-1)", 7), ("simple(1", 8), ("_", 0),
        // Numbers.
        ("-", 1), ("01", 0), ("-01", 0), ("0x", 2), ("0xg", 2), ("0b2", 2), ("0o8", 2), ("1.", 2), (".5", 0), ("+1", 0),
        ("1e", 2), ("1e+", 3), ("0x1.", 4), ("0x1p", 4), ("1e400", 0), ("-1(0)", 0), ("18446744073709551616(0)", 0),
        ("0b1.1", 3), ("1.5(0)", 3),
        // Encoding indicators.
        ("1_4", 1), ("1_x", 1), ("1_", 0), ("256_0", 0), ("24_i", 0), ("1.5_0", 0), ("1.5_i", 0), ("1.5_", 0),
        ("1.1_1", 0),
        ("18446744073709551616_3", 0), ("\"a\"_", 0), ("h''_", 0), ("[_x 1]", 1), ("<<1>>_", 0), ("1_(2)", 0),
        ("NaN_0", 0),
        // Strings.
        ("\"a", 0), ("'a", 0), ("h'0", 0), ("h'0'", 3), ("h'0g'", 3), ("h'01", 0), ("b64'AQI", 0), ("b64'A'", 0),
        ("b64'AR=='", 0),
        ("b64'A*ID'", 0), ("q'a'", 0), ("b32'AF'", 0), ("b32'A'", 0), ("b32'AE=='", 0),
        ("b32'1A'", 0), ("h32'WA'", 0), ("b32'AE", 0), ("b32'AAA'", 0), ("\"a\nb\"", 2), ("'a\u{1}'", 2),
        ("\"\\x\"", 1), ("\"\\", 1),
        ("\"\\u12\"", 1), ("\"\\ud83d\"", 1), ("\"\\ude00\"", 1), ("\"\\ud83d\\u0041\"", 1), ("h'/ open'", 2),
        ("float'00'", 0), ("float\"00\"", 0),
        // Strings in several parts, times.
        ("'a' +", 5), ("'a' + 1", 6), ("'a' + + 'b'", 6), ("'a' 1", 4), ("'a' q'b'", 4), ("\"a\" h'ff'", 0),
        ("'a' <<1>>", 4),
        ("'a' + float'7e00'", 6), ("h\"12\"", 0), ("'a' h\"12\"", 4), ("''_ 'a'", 4),
        ("dt'2013-03-21'", 0), ("dt'2013-02-30T00:00:00Z'", 0), ("dt''", 0), ("Dt'2013-03-21T20:04:00Z'", 0),
        ("(_ dt'2013-03-21T20:04:00Z')", 3), ("dt'2013-03-21T20:04:00Z", 0), ("dt'2013-03-21T20:04:00Z' 'a'", 25),
        // Chunks.
        ("(", 0), ("(1)", 0), ("(_0 'a')", 0), ("(_ )", 3), ("(_ 'a', \"b\")", 8), ("(_ 1)", 3), ("(_ [])", 3),
        ("(_ (_ 'a'))", 3),
        ("(_ ''_)", 3), ("(_ null)", 3), ("(_ -Infinity)", 3), ("(_ float'7e01')", 3), ("(_ \"a\", <<1>>)", 8),
        ("(_ 1(2))", 3),
    ]

    @Test(arguments: refusals)
    func refuses(notation: String, offset: Int) {
        let error = #expect(throws: CBORError.self, "\(notation)") { try CBORDiagnosticNotation.encode(notation) }
        #expect(error?.code == .invalidNotation, "\(notation)")
        #expect(error?.offset == offset, "\(notation): \(String(describing: error))")
        #expect(throws: CBORError.self) { try CBOR(diagnosticNotation: notation) }
    }

    @Test(arguments: [("1,", 2), (",", 0), ("1 2", 2), ("1]", 1)])
    func refusesSequences(notation: String, offset: Int) {
        let error = #expect(throws: CBORError.self) { try CBORDiagnosticNotation.encodeSequence(notation) }
        #expect(error?.code == .invalidNotation)
        #expect(error?.offset == offset)
    }

    @Test(arguments: ["[", "{", "1(", "<<", "(_ <<", "{1:", "24(<<"])
    func refusesDeepNesting(opening: String) {
        let text = String(repeating: opening, count: 100_000)
        var limits = CBORLimits.default
        limits.depth = .max
        for limits in [CBORLimits.default, limits] {
            let error = #expect(throws: CBORError.self) { try CBORDiagnosticNotation.encode(text, limits: limits) }
            #expect(error?.code == .limitExceeded)
            #expect(error?.offset != nil)
        }
    }

    @Test func nestingUpToTheLimitIsRead() throws {
        var limits = CBORLimits.default
        limits.depth = 150
        let text = String(repeating: "[", count: 150) + String(repeating: "]", count: 150)
        #expect(try CBOR(diagnosticNotation: text, limits: limits).diagnosticNotation() == text)
        #expect(throws: CBORError.self) { try CBOR(diagnosticNotation: "[\(text)]", limits: limits) }
    }

    @Test(arguments: [
        ("[1, 2, 3]", CBORLimits(size: 8), 8), ("[1, 2, 3]", CBORLimits(items: 3), 7),
        ("\"abcd\"", CBORLimits(stringLength: 3), 0),
        ("1, h'01020304'", CBORLimits(stringLength: 3), 3), ("<<1, 2, 3, 4>>", CBORLimits(stringLength: 3), 0),
        ("[[]]", CBORLimits(depth: 1), 1), (String(repeating: "1", count: 1025), CBORLimits.default, 0),
        ("(_ 'ab', 'cd')", CBORLimits(stringLength: 3), 9),
    ])
    func refusesWhatPassesALimit(notation: String, limits: CBORLimits, offset: Int) {
        let error = #expect(throws: CBORError.self) {
            try CBORDiagnosticNotation.encodeSequence(notation, limits: limits)
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.offset == offset)
    }

    @Test func damagedTextIsRefusedOrRead() throws {
        let texts =
            DiagnosticPrintingTests.figures.map(\.notation) + [
                "{\"a\": [_ 1_0, 24(<<{1: h'01 / x / 02'}>>)], -7: b64'AQID', simple(99): 'it\\'s'} # end",
                "[0x1.8p3, -0b101, 0o17, 1e300, \"\\ud83d\\ude00\", (_ \"a\", \"b\"_1), NaN_3, float'7e01']",
            ]
        var options = CBORReadingOptions.default
        options.duplicateKeys = .allow
        var mutator = Mutator(seed: 8949)
        var read = 0
        for index in 0..<20_000 {
            let bytes = mutator.mutate(Array(texts[texts.count - 1 - index % texts.count].utf8))
            let text = String(decoding: bytes, as: UTF8.self)
            do throws(CBORError) {
                let encoded = try CBORDiagnosticNotation.encode(text)
                let printed = try CBORDocument(encoded, options: options).root.diagnosticNotation(
                    index % 2 == 0 ? .compact : .readable
                )
                #expect(try CBORDiagnosticNotation.encode(printed) == encoded, "\(text)")
                read += 1
            } catch {
                #expect([.invalidNotation, .limitExceeded].contains(error.code), "\(text): \(error)")
                #expect((0...text.utf8.count).contains(error.offset ?? -1), "\(text): \(error)")
            }
        }
        #expect((1000..<19_000).contains(read))
    }
}
