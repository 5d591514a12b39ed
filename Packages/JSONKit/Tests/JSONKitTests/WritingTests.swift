import JSONKit
import Testing

@Suite struct WritingTests {
    @Test func writesCompactly() {
        let value: JSONValue = ["a": [1, [], [:], nil, true, false, "x"], "b": ["c": -5]]
        #expect(value.text() == #"{"a":[1,[],{},null,true,false,"x"],"b":{"c":-5}}"#)
    }

    @Test func writesForPeople() {
        let value: JSONValue = ["a": [1, [], [:]], "b": ["c": "d"]]
        #expect(
            value.text(.pretty) == """
                {
                  "a": [
                    1,
                    [],
                    {}
                  ],
                  "b": {
                    "c": "d"
                  }
                }
                """
        )
        #expect(JSONValue.array([1]).text(.pretty(indentation: 1)) == "[\n 1\n]")
        #expect(JSONValue.array([1]).text(.pretty(indentation: -3)) == "[\n1\n]")
        #expect(JSONValue.null.text(.pretty) == "null")
        #expect(JSONValue.array([]).text(.pretty) == "[]")
    }

    @Test func escapesWhatMustBe() throws {
        let controls = String(String.UnicodeScalarView((0..<0x20).compactMap { Unicode.Scalar($0) }))
        let expected =
            #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f"#
            + #"\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f""#
        #expect(JSONValue.string(controls).text() == expected)
        #expect(JSONValue.string("\"\\/<>é\u{7f}\u{2028}😀").text() == "\"\\\"\\\\/<>é\u{7f}\u{2028}😀\"")
        #expect(JSONValue.object(["\n\"": 0]).text() == #"{"\n\"":0}"#)
    }

    @Test func escapesWhatDoesNotShowWhereAskedTo() throws {
        let value: JSONValue = ["a\u{202e}": "é\u{7f}\u{9b}\u{200b}\u{2028}\u{e0041}😀\\"]
        let expected = #"{"a\u202e":"é\u007f\u009b\u200b\u2028\udb40\udc41😀\\"}"#
        #expect(value.text(.compact.escapingInvisible) == expected)
        #expect(value.description == expected)
        #expect(try JSONValue(parsing: expected) == value)
        #expect(JSONValue.array(["\u{85}"]).text(.pretty.escapingInvisible) == "[\n  \"\\u0085\"\n]")
        #expect(try value.canonicalized() == Array(value.text().utf8))
    }

    @Test func escapesInStringsOfAnyLengthAndAtAnyPlace() throws {
        var strings: [JSONValue] = []
        for length in Array(0...40) + [47, 48, 49, 63, 64, 65, 100, 160, 161] {
            let plain = (0..<length).map { String(UnicodeScalar(UInt8(ascii: "a") + UInt8($0 % 26))) }
            strings.append(.string(plain.joined()))
            for place in 0..<length {
                for special in ["\"", "\\", "\u{1f}", "é"] {
                    strings.append(.string((plain[..<place] + [special] + plain[(place + 1)...]).joined()))
                }
            }
        }
        let value = JSONValue.array(strings)
        let bytes = value.encoded()
        #expect(try JSONValue(parsing: bytes) == value)
        #expect(try value.canonicalized() == bytes)
        let texts = strings.map { $0.text() }
        #expect(bytes == Array("[\(texts.joined(separator: ","))]".utf8))
    }

    @Test func writesContainersOfAnyDepth() throws {
        for depth in [1, 7, 8, 9, 16, 17, 100] {
            var value: JSONValue = [[], [:], "x"]
            var expected = #"[[],{},"x"]"#
            for level in 0..<depth {
                value = level % 2 == 0 ? ["a": value, "b": .integer(level)] : [true, value, nil]
                expected = level % 2 == 0 ? "{\"a\":\(expected),\"b\":\(level)}" : "[true,\(expected),null]"
            }
            #expect(value.text() == expected)
            #expect(try value.canonicalized() == Array(expected.utf8))
            #expect(try JSONValue(parsing: value.text(.pretty)) == value)
        }
    }

    @Test func writesTextsOfAnySize() throws {
        // Around the sizes at which a writer gets more memory, each piece ends at another place of a value.
        for size in Array(970...1030) + Array(2000...2030) + Array(32740...32780) {
            let string = String(repeating: "a", count: size)
            #expect(JSONValue.array([.string(string)]).text() == "[\"\(string)\"]")
            let value: JSONValue = ["": [.string(string), 1], "n": false]
            #expect(value.text() == "{\"\":[\"\(string)\",1],\"n\":false}")
            #expect(value.text(.pretty) == "{\n  \"\": [\n    \"\(string)\",\n    1\n  ],\n  \"n\": false\n}")
        }
        let numbers = (0..<20000).map { JSONValue.integer($0) }
        #expect(JSONValue.array(numbers).text() == "[\((0..<20000).map(String.init).joined(separator: ","))]")
    }

    @Test func namesThePathOfANumberThatHasNoCanonicalForm() throws {
        let number = try JSONNumber(text: "9007199254740993")
        let value: JSONValue = [1, ["b": [2, [:], .number(number)], "a": nil]]
        let error = try #require(throws: JSONError.self) { try value.canonicalized() }
        #expect(error.code == .numberNotExact)
        #expect(error.path.description == "$[1].b[2]")
        #expect(throws: JSONError.self) { try JSONValue.number(number).canonicalized() }
    }

    @Test func copiesWhatWasReadIntoTreesMadeByHand() throws {
        let read = try JSONValue(parsing: #"{"a": [1, {"b": "\u0041\/"}], "c": {}}"#)
        let value: JSONValue = [read, ["x": read], read]
        let text = #"{"a":[1,{"b":"A/"}],"c":{}}"#
        #expect(value.text() == "[\(text),{\"x\":\(text)},\(text)]")
    }
}
