import CBORKit
import JSONKit
import MdocElements
import MdocKit
import Testing

@Suite struct DataElementJSONTests {
    @Test(
        arguments: [
            ("Doe", #""Doe""#),
            (.tagged(1004, "1990-05-15"), #""1990-05-15""#),
            (.tagged(0, "2024-01-15T10:00:00Z"), #""2024-01-15T10:00:00Z""#),
            (.tagged(100, 7_439), #""1990-05-15""#),
            (.tagged(100, "x"), #""x""#),
            (.tagged(1, 1_700_000_000), "1700000000"),
            (true, "true"),
            (false, "false"),
            (.null, "null"),
            (.undefined, "null"),
            (182, "182"),
            (-7, "-7"),
            (.unsigned(.max), "18446744073709551615"),
            (.negative(.max), "-18446744073709551616"),
            (.double(1.5), "1.5"),
            (.double(.nan), "null"),
            (.double(.infinity), "null"),
            (.bytes([0xfb, 0xff, 0xfe, 0xfd]), #""-__-_Q""#),
            (.tagged(22, .bytes([0xfb, 0xff, 0xfe, 0xfd])), #""+//+/Q==""#),
            (.tagged(23, [.bytes([0xab]), .tagged(21, .bytes([0xab]))]), #"["AB","qw"]"#),
            (.tagged(2, .bytes([1] + Array(repeating: 0, count: 8))), "18446744073709551616"),
            (.tagged(3, .bytes(Array(repeating: 0xff, count: 17))), #""~______________________8""#),
            (.tagged(2, "no bytes"), #""no bytes""#),
            (.formed(.indefinite, [1, [2, []], 3]), "[1,[2,[]],3]"),
            (["b": ["c": 1], "a": []], #"{"b":{"c":1},"a":[]}"#),
            (.map([1: "one", -2: "two", true: "three"]), #"{"1":"one","-2":"two","true":"three"}"#),
            (.map([1: "number", "1": "text"]), #"{"1":"number","\"1\"":"text"}"#),
        ] as [(CBOR, String)]
    )
    func writesEveryKindOfValue(_ value: CBOR, _ json: String) {
        #expect(JSONValue(dataElement: value).text() == json)
    }

    @Test func writesBytesAsTold() {
        #expect(JSONValue(dataElement: .bytes([0xfb, 0xff]), bytesAs: .base64) == "+/8=")
    }

    @Test func readsViews() throws {
        let document = try CBORDocument([0x82, 0x01, 0x61, 0x61])
        #expect(JSONValue(dataElement: document.root) == [1, "a"])
    }

    @Test func needsNoStackForDepth() {
        var value: CBOR = 0
        for _ in 0..<150 { value = [value] }
        var json = JSONValue(dataElement: value)
        for _ in 0..<150 { json = json[0] ?? .null }
        #expect(json == 0)
    }

    @Test func groupsByNameSpace() throws {
        let elements: DataElements<CBOR> = [
            .mDL: ["family_name": "Doe", "birth_date": .tagged(1004, "1990-05-15")],
            "org.example": ["n": 1],
        ]
        let json = JSONValue.object(elements.json).text()
        #expect(
            json == #"{"org.iso.18013.5.1":{"family_name":"Doe","birth_date":"1990-05-15"},"org.example":{"n":1}}"#
        )
    }

    @Test func writesTheElementsOfAVerifiedDocument() async throws {
        let utopia = try await Utopia()
        let response = try await utopia.present(try await utopia.licence())
        let document = try #require(try await utopia.verify(response).verifiedDocuments.first)
        let json = document.elements.json
        #expect(json["org.iso.18013.5.1"]?["birth_date"] == "1990-05-15")
        #expect(json["org.iso.18013.5.1.UT"] == ["organ_donor": true])
    }
}
