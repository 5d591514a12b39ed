import Foundation
import JSONKit
import Testing

@Suite struct FoundationTests {
    struct Model: Codable, Equatable {
        var data: Data
        var date: Date
        var url: URL
        var decimal: Decimal
    }

    let model: Model
    let text =
        #"{"data":"-_8","date":1700000000.25,"url":"https://example.com/a?b=c","decimal":12345678901234567890.123}"#

    init() throws {
        model = Model(
            data: Data([0xfb, 0xff]),
            date: Date(timeIntervalSince1970: 1_700_000_000.25),
            url: try #require(URL(string: "https://example.com/a?b=c")),
            decimal: try #require(Decimal(string: "12345678901234567890.123"))
        )
    }

    @Test func foundationTypesHaveTheirForm() throws {
        #expect(try StrictJSONDecoder().decode(Model.self, from: text) == model)
        #expect(String(decoding: try StrictJSONEncoder().encode(model), as: UTF8.self) == text)
    }

    @Test func optionsReachFoundationTypes() throws {
        let decoder = StrictJSONDecoder(bytes: .base64, dates: .deferredToDate)
        let encoder = StrictJSONEncoder(bytes: .base64, dates: .deferredToDate)
        let encoded = String(decoding: try encoder.encode(model), as: UTF8.self)
        #expect(encoded.contains(#""data":"+/8=","date":721692800.25"#))
        #expect(try decoder.decode(Model.self, from: encoded) == model)
        let numbers = try StrictJSONEncoder(bytes: .numbers).encode([model.data])
        #expect(String(decoding: numbers, as: UTF8.self) == "[[251,255]]")
        #expect(try StrictJSONDecoder(bytes: .numbers).decode([Data].self, from: numbers) == [model.data])
    }

    @Test func wholeSecondsAreIntegers() throws {
        let bytes = try StrictJSONEncoder().encode([Date(timeIntervalSince1970: 1_516_239_022)])
        #expect(String(decoding: bytes, as: UTF8.self) == "[1516239022]")
    }

    @Test func refusesWhatFoundationTypesCannotHold() throws {
        let digits = String(repeating: "1", count: 60)
        try expect(Decimal.self, "null", code: .typeMismatch)
        try expect(Decimal.self, digits, code: .numberNotExact)
        try expect(Decimal.self, "1e999", code: .numberOutOfRange)
        try expect(URL.self, #""""#, code: .invalidValue)
        try expect(URL.self, "1", code: .typeMismatch)
        try expect(Data.self, #""a""#, code: .invalidBase64)
        try expect(Date.self, #""2020-01-01""#, code: .typeMismatch)
        let error = #expect(throws: JSONError.self) { try StrictJSONEncoder().encode([Decimal.nan]) }
        #expect(error?.code == .nonFiniteNumber)
    }

    private func expect<Value: Decodable>(_ type: Value.Type, _ text: String, code: JSONError.Code) throws {
        let error = #expect(throws: JSONError.self) { try StrictJSONDecoder().decode([Value].self, from: "[\(text)]") }
        #expect(error?.code == code)
        #expect(error?.path.description == "$[0]")
    }

    @Test func valuesWorkWithFoundationsCoders() throws {
        let text = #"{"a":[1,2.5,null,true,"x",18446744073709551615],"b":{}}"#
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(value == (try JSONValue(parsing: text)))
        let again = try JSONValue(parsing: try JSONEncoder().encode(value))
        #expect(again == value)
        #expect(try JSONDecoder().decode(JSONObject.self, from: Data(text.utf8)) == value.objectValue)
        #expect(try JSONDecoder().decode([JSONNumber].self, from: Data("[-3,0.5]".utf8)).map(\.text) == ["-3", "0.5"])
    }

    @Test func dataIsAnInput() throws {
        #expect(try JSONDocument(Data("[1]".utf8)).root[0]?.integer() == 1)
        #expect(try StrictJSONDecoder().decode([Int].self, from: Data("[1]".utf8)) == [1])
    }
}
