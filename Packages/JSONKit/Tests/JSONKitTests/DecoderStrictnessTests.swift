import JSONKit
import Testing

@Suite struct DecoderStrictnessTests {
    struct Inner: Decodable {
        var id: Int
        var name: String?
    }

    struct Outer: Decodable {
        var list: [Inner]
        var flag: Bool?
    }

    enum Suit: String, Decodable { case hearts, spades }

    struct Fault: Sendable, CustomTestStringConvertible {
        let text: String
        let code: JSONError.Code
        let path: String
        let offset: Int
        var testDescription: String { text }

        init(_ text: String, _ code: JSONError.Code, _ path: String, at offset: Int) {
            self.text = text
            self.code = code
            self.path = path
            self.offset = offset
        }
    }

    @Test(arguments: [
        Fault(#"{"list":[{"id":1},{"id":"2"}]}"#, .typeMismatch, "$.list[1].id", at: 24),
        Fault(#"{"list":[{"id":1},{"id":true}]}"#, .typeMismatch, "$.list[1].id", at: 24),
        Fault(#"{"list":[{"id":null}]}"#, .typeMismatch, "$.list[0].id", at: 15),
        Fault(#"{"list":[{"id":1.5}]}"#, .numberNotExact, "$.list[0].id", at: 15),
        Fault(#"{"list":[{"id":1e19}]}"#, .numberOutOfRange, "$.list[0].id", at: 15),
        Fault(#"{"list":[{"id":1,"name":5}]}"#, .typeMismatch, "$.list[0].name", at: 24),
        Fault(#"{"list":[{}]}"#, .missingMember, "$.list[0]", at: 9),
        Fault(#"{"list":[[]]}"#, .typeMismatch, "$.list[0]", at: 9),
        Fault(#"{"list":{}}"#, .typeMismatch, "$.list", at: 8),
        Fault(#"{"list":null}"#, .typeMismatch, "$.list", at: 8),
        Fault(#"{"list":[],"flag":0}"#, .typeMismatch, "$.flag", at: 18),
        Fault(#"{"list":[],"flag":"true"}"#, .typeMismatch, "$.flag", at: 18),
        Fault("{}", .missingMember, "$", at: 0),
        Fault("[]", .typeMismatch, "$", at: 0),
        Fault(#"{"list":[],"list":[]}"#, .duplicateName, "$.list", at: 11),
        Fault(#"{"list":[],}"#, .trailingComma, "$", at: 10),
    ])
    func refusesWithPathAndOffset(fault: Fault) throws {
        let error = #expect(throws: JSONError.self) { try StrictJSONDecoder().decode(Outer.self, from: fault.text) }
        #expect(error?.code == fault.code)
        #expect(error?.path.description == fault.path)
        #expect(error?.offset == fault.offset)
    }

    @Test func locatesWhatATypeRefuses() throws {
        struct Hand: Decodable { var cards: [Suit] }
        let text = #"{"cards":["hearts","clubs"]}"#
        let error = try #require(throws: JSONError.self) { try StrictJSONDecoder().decode(Hand.self, from: text) }
        #expect(error.code == .invalidValue)
        #expect(error.path.description == "$.cards[1]")
        #expect(error.offset == 19)
        #expect(error.cause is DecodingError)
    }

    @Test func passesOnWhatATypeThrows() throws {
        struct Mine: Error {}
        struct Thrower: Decodable { init(from decoder: any Decoder) throws { throw Mine() } }
        let error = try #require(throws: JSONError.self) { try StrictJSONDecoder().decode([Thrower].self, from: "[0]") }
        #expect(error.code == .invalidValue)
        #expect(error.cause is Mine)
    }

    @Test func typesSeeDecodingErrors() throws {
        enum Choice: Decodable {
            case number(Int)
            case text(String)
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                do {
                    self = .number(try container.decode(Int.self))
                } catch DecodingError.typeMismatch(let type, let context) {
                    #expect("\(type)" == "Int")
                    #expect(context.codingPath.map(\.stringValue) == ["a", "1"])
                    #expect(context.codingPath.map(\.intValue) == [nil, 1])
                    self = .text(try container.decode(String.self))
                }
            }
        }
        let value = try StrictJSONDecoder().decode([String: [Choice]].self, from: #"{"a":[1,"x"]}"#)
        #expect(value.count == 1)
    }

    @Test func runsOutOfElements() throws {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                _ = try list.decode(Int.self)
                if try list.decodeNil() { return }
            }
        }
        for text in ["[]", "[1]"] {
            let error = #expect(throws: JSONError.self) { try StrictJSONDecoder().decode(Pair.self, from: text) }
            #expect(error?.code == .missingElement)
        }
        #expect(throws: Never.self) { try StrictJSONDecoder().decode(Pair.self, from: "[1,null]") }
    }

    @Test(arguments: [
        #"{"list":[{"id":1}],"flag":true}"#, #"{"list":[],"flag":null}"#, #"{"list":[{"id":1,"name":null}]}"#,
    ])
    func knowsTheMembersThatAreAskedFor(text: String) throws {
        let decoder = StrictJSONDecoder(unknownMembers: .refuse)
        #expect(throws: Never.self) { try decoder.decode(Outer.self, from: text) }
    }

    @Test func refusesUnknownMembersOnRequest() throws {
        let text = #"{"list":[{"id":1},{"id":2,"x":{"y":0}}]}"#
        #expect(throws: Never.self) { try StrictJSONDecoder().decode(Outer.self, from: text) }
        let error = try #require(throws: JSONError.self) {
            try StrictJSONDecoder(unknownMembers: .refuse).decode(Outer.self, from: text)
        }
        #expect(error.code == .unknownMember)
        #expect(error.path.description == "$.list[1].x")
        #expect(error.offset == 30)
        #expect(throws: Never.self) {
            try StrictJSONDecoder(unknownMembers: .refuse).decode([String: JSONValue].self, from: text)
        }
    }

    @Test func dictionariesLoseNoMember() throws {
        // U+00E9, and U+0065 U+0301: other bytes, but the same String.
        let text = "{\"x\":{\"\u{e9}\":1,\"a\":2,\"e\u{301}\":3}}"
        let error = try #require(throws: JSONError.self) {
            try StrictJSONDecoder().decode([String: [String: Int]].self, from: text)
        }
        #expect(error.code == .duplicateName)
        #expect(error.path.components.count == 2)
        #expect(error.offset == 19)
        let kept = try StrictJSONDecoder().decode([String: JSONObject].self, from: text)
        #expect(kept["x"]?.count == 3)
        #expect(try StrictJSONDecoder().decode([String: Int].self, from: "{\"\u{e9}\":1,\"\u{e8}\":2}").count == 2)
    }

    @Test func refusesLossyFloatingPoint() throws {
        #expect(try StrictJSONDecoder().decode([Double].self, from: "[9007199254740992]") == [9_007_199_254_740_992])
        #expect(try StrictJSONDecoder().decode([Float].self, from: "[16777216,0.1,1e10]") == [16_777_216, 0.1, 1e10])
        for (text, code) in [
            ("[9007199254740993]", JSONError.Code.numberNotExact), ("[1e400]", .numberOutOfRange),
            ("[1e-400]", .numberOutOfRange),
        ] {
            let error = #expect(throws: JSONError.self) { try StrictJSONDecoder().decode([Double].self, from: text) }
            #expect(error?.code == code)
        }
        for (text, code) in [("[16777217]", JSONError.Code.numberNotExact), ("[1e39]", .numberOutOfRange)] {
            let error = #expect(throws: JSONError.self) { try StrictJSONDecoder().decode([Float].self, from: text) }
            #expect(error?.code == code)
        }
    }

    @Test func readsBytesAsTold() throws {
        let bytes: [UInt8] = [0xff, 0xfe]
        #expect(try StrictJSONDecoder().decode([[UInt8]].self, from: #"["__4"]"#) == [bytes])
        #expect(try StrictJSONDecoder(bytes: .base64).decode([[UInt8]].self, from: #"["\/\/4="]"#) == [bytes])
        #expect(try StrictJSONDecoder(bytes: .numbers).decode([[UInt8]].self, from: "[[255,254]]") == [bytes])
        for (text, code) in [(#"["__4="]"#, JSONError.Code.invalidBase64), ("[[255]]", .typeMismatch)] {
            let error = #expect(throws: JSONError.self) { try StrictJSONDecoder().decode([[UInt8]].self, from: text) }
            #expect(error?.code == code)
            #expect(error?.path.description == "$[0]")
            #expect(error?.offset == 1)
        }
    }

    @Test func keepsItsLimits() throws {
        let error = #expect(throws: JSONError.self) {
            try StrictJSONDecoder(limits: JSONLimits(values: 3)).decode([Int].self, from: "[1,2,3]")
        }
        #expect(error?.code == .valueLimit)
        let document = try JSONDocument("[[[1]]]")
        let depth = #expect(throws: JSONError.self) {
            try StrictJSONDecoder(limits: JSONLimits(depth: 2)).decode([[[Int]]].self, from: document.root)
        }
        #expect(depth?.code == .depthLimit)
        #expect(depth?.path.description == "$[0][0]")
    }

    @Test func viewsNeedThisDecoder() throws {
        struct Other: Decoder {
            var codingPath: [any CodingKey] { [] }
            var userInfo: [CodingUserInfoKey: Any] { [:] }
            func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw error }
            func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw error }
            func singleValueContainer() throws -> any SingleValueDecodingContainer { throw error }
            var error: DecodingError { .dataCorrupted(.init(codingPath: [], debugDescription: "none")) }
        }
        #expect(throws: DecodingError.self) { try JSONView(from: Other()) }
    }
}
