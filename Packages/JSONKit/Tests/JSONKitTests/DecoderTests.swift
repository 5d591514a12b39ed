import JSONKit
import Testing

@Suite struct DecoderTests {
    struct Everything: Codable, Equatable {
        var text: String
        var flag: Bool
        var int: Int
        var int8: Int8
        var int16: Int16
        var int32: Int32
        var int64: Int64
        var int128: Int128
        var uint: UInt
        var uint8: UInt8
        var uint16: UInt16
        var uint32: UInt32
        var uint64: UInt64
        var uint128: UInt128
        var double: Double
        var float: Float
        var present: String?
        var absent: String?
        var null: Int?
        var list: [Double?]
        var map: [String: [Int]]
        var bytes: [UInt8]
    }

    static let everything = """
        {"text":"a\\u00e9","flag":true,"int":-1,"int8":-128,"int16":-32768,"int32":-2147483648,
         "int64":-9223372036854775808,"int128":-170141183460469231731687303715884105728,"uint":1,"uint8":255,
         "uint16":65535,"uint32":4294967295,"uint64":18446744073709551615,
         "uint128":340282366920938463463374607431768211455,"double":0.1,"float":0.1,"present":"x","null":null,
         "list":[1,null,2.5],"map":{"a":[1],"b":[]},"bytes":"-_8"}
        """

    @Test func decodesEveryKindOfMember() throws {
        let value = try StrictJSONDecoder().decode(Everything.self, from: Self.everything)
        #expect(
            value
                == Everything(
                    text: "aé",
                    flag: true,
                    int: -1,
                    int8: .min,
                    int16: .min,
                    int32: .min,
                    int64: .min,
                    int128: .min,
                    uint: 1,
                    uint8: .max,
                    uint16: .max,
                    uint32: .max,
                    uint64: .max,
                    uint128: .max,
                    double: 0.1,
                    float: 0.1,
                    present: "x",
                    absent: nil,
                    null: nil,
                    list: [1, nil, 2.5],
                    map: ["a": [1], "b": []],
                    bytes: [0xfb, 0xff]
                )
        )
        let again = try StrictJSONEncoder().encode(value)
        #expect(try StrictJSONDecoder().decode(Everything.self, from: again) == value)
        #expect(try StrictJSONDecoder().decode(Everything.self, from: JSONValue(parsing: again)) == value)
    }

    @Test func decodesEveryKindOfElement() throws {
        struct Elements: Decodable, Equatable {
            var texts: [String] = []
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                #expect(list.count == 20)
                texts.append("\(try list.decode(Bool.self))")
                texts.append(try list.decode(String.self))
                texts.append("\(try list.decode(Double.self))")
                texts.append("\(try list.decode(Float.self))")
                texts.append("\(try list.decode(Int.self))")
                texts.append("\(try list.decode(Int8.self))")
                texts.append("\(try list.decode(Int16.self))")
                texts.append("\(try list.decode(Int32.self))")
                texts.append("\(try list.decode(Int64.self))")
                texts.append("\(try list.decode(Int128.self))")
                texts.append("\(try list.decode(UInt.self))")
                texts.append("\(try list.decode(UInt8.self))")
                texts.append("\(try list.decode(UInt16.self))")
                texts.append("\(try list.decode(UInt32.self))")
                texts.append("\(try list.decode(UInt64.self))")
                texts.append("\(try list.decode(UInt128.self))")
                #expect(try !list.decodeNil() == false)
                #expect(try list.decodeNil() == false)
                #expect(list.currentIndex == 17)
                var inner = try list.nestedUnkeyedContainer()
                texts.append("\(try inner.decode(Int.self))")
                let object = try list.nestedContainer(keyedBy: Key.self)
                texts.append("\(try object.decode(Int.self, forKey: Key("a")))")
                texts.append("\(try Int(from: list.superDecoder()))")
                #expect(list.isAtEnd)
            }
        }
        let text = #"[true,"s",1.5,2.5,3,4,5,6,7,8,9,10,11,12,13,14,null,[15],{"a":16},17]"#
        let texts = try StrictJSONDecoder().decode(Elements.self, from: text).texts
        #expect(texts == ["true", "s", "1.5", "2.5"] + (3...17).map { "\($0)" })
    }

    struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    @Test func decodesNestedContainersAndSuperclasses() throws {
        class Base: Decodable {
            var id: Int
            init(id: Int) { self.id = id }
        }
        final class Derived: Base {
            var name = ""
            var inner: [Int] = []
            enum Keys: String, CodingKey { case name, nested, list, base }
            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                name = try container.nestedContainer(keyedBy: Keys.self, forKey: .nested).decode(
                    String.self,
                    forKey: .name
                )
                var list = try container.nestedUnkeyedContainer(forKey: .list)
                while !list.isAtEnd { inner.append(try list.decode(Int.self)) }
                #expect(try Base(from: container.superDecoder(forKey: .base)).id == 8)
                try super.init(from: container.superDecoder())
            }
        }
        let text = #"{"nested":{"name":"n"},"list":[1,2],"super":{"id":7},"base":{"id":8}}"#
        let value = try StrictJSONDecoder().decode(Derived.self, from: text)
        #expect(value.name == "n")
        #expect(value.inner == [1, 2])
        #expect(value.id == 7)
    }

    @Test func decodesRootScalarsAndOptionals() throws {
        #expect(try StrictJSONDecoder().decode(Int.self, from: "12") == 12)
        #expect(try StrictJSONDecoder().decode(Int?.self, from: "null") == nil)
        #expect(try StrictJSONDecoder().decode(String?.self, from: "\"a\"") == "a")
        #expect(try StrictJSONDecoder().decode([Bool].self, from: [0x5b, 0x5d]) == [])
    }

    @Test func keepsWhatIsWritten() throws {
        struct Kept: Codable {
            var number: JSONNumber
            var value: JSONValue
            var object: JSONObject
        }
        let text = #"{"number":1.00,"value":[1e2,{"b":1,"a":-0}],"object":{"z":0.10,"a":"x"}}"#
        let kept = try StrictJSONDecoder().decode(Kept.self, from: text)
        #expect(kept.number.text == "1.00")
        #expect(String(decoding: try StrictJSONEncoder().encode(kept), as: UTF8.self) == text)
    }

    @Test func givesViewsWithTheirBytes() throws {
        struct Request: Decodable { var metadata: JSONView }
        let document = try JSONDocument(#"{"x":0,"metadata": {"a" : 1.0 } }"#)
        let request = try StrictJSONDecoder().decode(Request.self, from: document.root)
        #expect(request.metadata.bytes.elementsEqual(#"{"a" : 1.0 }"#.utf8))
        #expect(request.metadata.path.description == "$.metadata")
    }

    @Test func looksUpMembersInAnyOrder() throws {
        let names = (0..<200).map { "n\($0)" }
        let text = "{" + names.reversed().map { "\"\($0)\":\"\($0)\"" }.joined(separator: ",") + "}"
        struct Lookup: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                #expect(container.allKeys.count == 200)
                for name in (0..<200).map({ "n\($0)" }) {
                    #expect(try container.decode(String.self, forKey: Key(name)) == name)
                    #expect(!container.contains(Key(name + "x")))
                }
            }
        }
        _ = try StrictJSONDecoder().decode(Lookup.self, from: text)
        #expect(try StrictJSONDecoder().decode([String: String].self, from: text).count == 200)
    }

    @Test func passesUserInfo() throws {
        struct Reader: Decodable {
            init(from decoder: any Decoder) throws {
                let key = try #require(CodingUserInfoKey(rawValue: "k"))
                #expect(decoder.userInfo[key] as? Int == 5)
            }
        }
        var decoder = StrictJSONDecoder()
        decoder.userInfo[try #require(CodingUserInfoKey(rawValue: "k"))] = 5
        _ = try decoder.decode(Reader.self, from: "0")
    }
}
