import JSONKit
import Testing

@Suite struct ValueTests {
    @Test func objectPrintsAsJSON() {
        let object: JSONObject = ["b": 1, "a": ["x\u{202e}", nil]]
        #expect("\(object)" == #"{"b":1,"a":["x\u202E",null]}"# || "\(object)" == #"{"b":1,"a":["x\u202e",null]}"#)
        #expect("\(object)" == JSONValue.object(object).description)
    }

    @Test func keepsOrderAndNumberText() throws {
        let text = #"{"z":1.0,"a":[1e2,{"y":-0,"b":null}],"m":true,"":"\"\\/\n"}"#
        let value = try JSONValue(parsing: text)
        #expect(value.text() == text)
        #expect(value.description == text)
        #expect(value.objectValue?.names == ["z", "a", "m", ""])
        #expect(value["z"]?.numberValue?.text == "1.0")
        #expect(value["a"]?[1]?["b"]?.isNull == true)
    }

    @Test func givesItsParts() throws {
        let value: JSONValue = ["n": 1, "s": "x", "b": true, "l": [nil], "o": [:]]
        #expect(value["n"]?.numberValue == JSONNumber(1))
        #expect(value["s"]?.stringValue == "x")
        #expect(value["b"]?.boolValue == true)
        #expect(value["l"]?.arrayValue == [.null])
        #expect(value["o"]?.objectValue?.isEmpty == true)
        #expect(value["s"]?.numberValue == nil)
        #expect(value["n"]?.stringValue == nil)
        #expect(value["n"]?.boolValue == nil)
        #expect(value["n"]?.arrayValue == nil)
        #expect(value["n"]?.objectValue == nil)
        #expect(value["l"]?[0] == .null)
        #expect(value["l"]?[1] == nil)
        #expect(value["l"]?[-1] == nil)
        #expect(value[0] == nil)
        #expect(value["absent"] == nil)
        #expect(value.objectValue?.values.map(\.kind) == [.number, .string, .boolean, .array, .object])
    }

    @Test func readsBytesAndStrings() throws {
        #expect(try JSONValue(parsing: [0x5b, 0x31, 0x5d]) == [1])
        #expect(try JSONValue(parsing: "[1]") == [1])
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: "[1]", limits: JSONLimits(size: 2)) }
        #expect(error?.code == .sizeLimit)
    }

    @Test(arguments: [
        (#"{"a":1,"b":[2]}"#, #"{ "b" : [2], "a" : 1 }"#, true), (#"{"a":1}"#, #"{"a":1,"b":1}"#, false),
        (#"{"a":1}"#, #"{"b":1}"#, false), ("[1,2]", "[2,1]", false), ("1", "1.0", false),
        (#""a""#, #""\u0061""#, true),
        ("\"\u{e9}\"", "\"e\u{301}\"", false), ("{\"\u{e9}\":1}", "{\"e\u{301}\":1}", false), ("null", "false", false),
        ("0", "\"0\"", false), ("true", "true", true), ("[]", "{}", false), ("null", "null", true),
        ("1e2", "1e2", true),
    ])
    func comparesWhatIsSaid(a: String, b: String, same: Bool) throws {
        let (a, b) = (try JSONValue(parsing: a), try JSONValue(parsing: b))
        #expect((a == b) == same)
        #expect((b == a) == same)
        if same { #expect(a.hashValue == b.hashValue) }
        #expect(Set([a, b]).count == (same ? 1 : 2))
    }
}
