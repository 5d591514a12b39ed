import JSONKit
import Testing

@Suite struct GrammarTests {
    @Test(arguments: [
        // RFC 8259, section 13.
        """
        {
          "Image": {
              "Width":  800,
              "Height": 600,
              "Title":  "View from 15th Floor",
              "Thumbnail": {
                  "Url":    "http://www.example.com/image/481989943",
                  "Height": 125,
                  "Width":  100
              },
              "Animated" : false,
              "IDs": [116, 943, 234, 38793]
            }
        }
        """,
        """
        [
          {
             "precision": "zip",
             "Latitude":  37.7668,
             "Longitude": -122.3959,
             "Address":   "",
             "City":      "SAN FRANCISCO",
             "State":     "CA",
             "Zip":       "94107",
             "Country":   "US"
          },
          {
             "precision": "zip",
             "Latitude":  37.371991,
             "Longitude": -122.026020,
             "Address":   "",
             "City":      "SUNNYVALE",
             "State":     "CA",
             "Zip":       "94085",
             "Country":   "US"
          }
        ]
        """,
        #""Hello world!""#, "42", "true",
        "null", "false", " \t\r\n{ } \t\r\n", "[]", #""""#, "-0", "0", "-0.0e-0", "1E+2", "1e2", "0.10", "[[],{}]",
        #"{"":0}"#, #"{"a":{"a":{"a":[]}}}"#, #""\"\\\/\b\f\n\r\t\u0000\uFFFF\ud834\uDD1E""#,
        "\"\u{7f}\u{80}\u{2028}\"",
        "\"\u{7ff}\u{800}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}\"",
    ])
    func acceptsJSON(text: String) throws {
        let document = try JSONDocument(text)
        #expect(document.bytes.elementsEqual(text.utf8))
    }

    @Test(arguments: Refusal.syntax)
    func refusesWhatIsNotJSON(refusal expected: Refusal) throws {
        let error = try refusal(of: expected.bytes)
        #expect(error.code == expected.code)
        #expect(error.offset == expected.offset)
        #expect(error.path.description == expected.path)
    }

    @Test func decodesEscapes() throws {
        let text = try JSONDocument(#""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00\u0000\u002f""#).root.string()
        #expect(Array(text.utf8) == Array("\"\\/\u{8}\u{c}\n\r\tAé€😀\u{0}/".utf8))
    }

    @Test(arguments: Array("bfnrtu\"\\/".utf8))
    func knowsEachEscape(letter: UInt8) throws {
        let digits = letter == UInt8(ascii: "u") ? "0041" : ""
        #expect(throws: Never.self) { try JSONDocument("\"\\\(Character(Unicode.Scalar(letter)))\(digits)\"") }
    }

    @Test func refusesEveryOtherEscape() throws {
        let known = Set("bfnrtu\"\\/".utf8)
        for byte in UInt8.min...UInt8.max where !known.contains(byte) {
            #expect(try refusal(of: [0x22, 0x5c, byte, 0x22]).code == .invalidEscape)
        }
    }

    @Test func refusesEveryControlCharacter() throws {
        for byte in UInt8(0)..<0x20 {
            let error = try refusal(of: [UInt8](#"["a"#.utf8) + [byte] + [UInt8](#"b"]"#.utf8))
            #expect(error.code == .controlCharacter)
            #expect(error.offset == 3)
            #expect(error.path.description == "$[0]")
        }
    }

    @Test func refusesEveryByteThatStartsNoValue() throws {
        let starts = Set("\"{[-0123456789tfn] \t\r\n".utf8)
        for byte in UInt8.min...UInt8.max where !starts.contains(byte) {
            let error = try refusal(of: [0x5b, byte])
            #expect(error.code == .unexpectedCharacter)
            #expect(error.offset == 1)
        }
    }

    @Test func findsSpecialBytesAtEveryPosition() throws {
        for length in 0..<40 {
            let text = String(repeating: "x", count: length)
            #expect(try JSONDocument("[\"\(text)\",1]").root[0]?.string() == text)
            #expect(try JSONDocument("[\"\(text)\\n\",1]").root[0]?.string() == text + "\n")
            #expect(try JSONDocument("[\"\(text)é\",1]").root[0]?.string() == text + "é")
            #expect(try refusal(of: "[\"\(text)\u{1f}\",1]").offset == length + 2)
        }
    }

    @Test func acceptsTheSequencesThatAreUTF8() throws {
        let followers: [UInt8] = [0x2e, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0]
        for lead in UInt8(0x80)...0xff {
            for second in followers {
                for third in followers {
                    let sequence = [lead, second, third, 0x80]
                    for length in 2...4 {
                        let content = Array(sequence[..<length])
                        let isText = String(validating: content, as: UTF8.self) != nil
                        // Followed by enough for a look at four bytes, and by less.
                        for text in [[0x22] + content + [0x22], [0x5b, 0x22] + content + Array("abc\"]".utf8)] {
                            #expect(((try? JSONDocument(text)) != nil) == isText)
                        }
                    }
                }
            }
        }
    }
}
