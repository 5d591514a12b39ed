import CBORKit
import Foundation
import TestSupport
import Testing

@Suite struct CodableTests {
    private struct Person: Codable, Equatable {
        var name: String
        var age: UInt8
        var score: Double
        var ratio: Float
        var isActive: Bool
        var nickname: String?
        var friends: [Person]
        var counts: [String: Int]
        var picture: Data
        var seed: [UInt8]
        var big: UInt64
        var huge: Int128
    }

    private let person = Person(
        name: "Ada",
        age: 36,
        score: 1.1,
        ratio: 0.5,
        isActive: true,
        nickname: nil,
        friends: [
            Person(
                name: "Zürich",
                age: 0,
                score: -0.0,
                ratio: .infinity,
                isActive: false,
                nickname: "z",
                friends: [],
                counts: [:],
                picture: Data(),
                seed: [],
                big: 0,
                huge: 0
            )
        ],
        counts: ["12": 1, "a": -5],
        picture: Data([1, 2, 3]),
        seed: [4, 5],
        big: .max,
        huge: -(1 << 64)
    )

    @Test func recordsRoundTrip() throws {
        let bytes = try CBOREncoder().encode(person)
        #expect(try CBORDecoder().decode(Person.self, from: bytes) == person)
        let value = try CBOR(decoding: bytes)
        #expect(value["picture"] == .bytes([1, 2, 3]))
        #expect(value["seed"] == .bytes([4, 5]))
        #expect(value["counts"]?["12"] == 1)
        #expect(value["nickname"] == nil)
        #expect(value["huge"] == .negative(.max))
    }

    @Test func deterministicEncodingSortsKeys() throws {
        var encoder = CBOREncoder()
        encoder.encodingOptions = .deterministic
        let bytes = try encoder.encode(["b": 1, "aa": 2, "a": 3])
        #expect(bytes.hex == "a361610361620162616102")
    }

    private struct Labeled: Codable, Equatable {
        var keyType: Int
        var curve: Int
        var name: String

        enum CodingKeys: Int, CodingKey {
            case keyType = 1
            case curve = -1
            case name = 300
        }
    }

    @Test func integerKeysAreLabels() throws {
        let value = Labeled(keyType: 2, curve: 1, name: "n")
        let bytes = try CBOREncoder().encode(value)
        #expect(bytes.hex == "a30102200119012c616e")
        #expect(try CBORDecoder().decode(Labeled.self, from: bytes) == value)
        var encoder = CBOREncoder()
        encoder.keys = .text
        let text = try encoder.encode(value)
        #expect(try CBOR(decoding: text)["keyType"] == 2)
        #expect(throws: DecodingError.self) { try CBORDecoder().decode(Labeled.self, from: text) }
        var decoder = CBORDecoder()
        decoder.keys = .text
        #expect(try decoder.decode(Labeled.self, from: text) == value)
    }

    @Test func dictionariesKeepTheKindOfTheirKeys() throws {
        #expect(try CBOREncoder().encode([7: "x"]).hex == "a1076178")
        #expect(try CBOREncoder().encode(["7": "x"]).hex == "a161376178")
        #expect(try CBORDecoder().decode([Int: String].self, from: CBOREncoder().encode([7: "x"])) == [7: "x"])
        #expect(try CBORDecoder().decode([String: String].self, from: CBOREncoder().encode(["7": "x"])) == ["7": "x"])
        let error = #expect(throws: DecodingError.self) {
            try CBORDecoder().decode([String: String].self, from: CBOREncoder().encode([7: "x"]))
        }
        #expect((error?.underlying as? CBORError)?.code == .typeMismatch)
    }

    /// A key with é in one scalar, and one with the accent behind the letter: two keys in CBOR, and one in a dictionary.
    @Test func dictionariesLoseNoEntry() throws {
        let bytes = try #require([UInt8](hex: "a262c3a9016365cc8102"))
        let error = #expect(throws: DecodingError.self) { try CBORDecoder().decode([String: Int].self, from: bytes) }
        #expect((error?.underlying as? CBORError)?.code == .duplicateKey)
        var decoder = CBORDecoder()
        decoder.readingOptions.duplicateKeys = .allow
        #expect(throws: DecodingError.self) { try decoder.decode([String: Int].self, from: bytes) }
        // Of equal keys the first one counts.
        let equal = try #require([UInt8](hex: "a2616101616102"))
        #expect(try decoder.decode([String: Int].self, from: equal) == ["a": 1])
    }

    @Test func unknownKeysCanBeRefused() throws {
        let bytes = try #require([UInt8](hex: "a40102200119012c616e1863f6"))
        _ = try CBORDecoder().decode(Labeled.self, from: bytes)
        var decoder = CBORDecoder()
        decoder.unknownKeys = .refuse
        let error = #expect(throws: DecodingError.self) { try decoder.decode(Labeled.self, from: bytes) }
        #expect((error?.underlying as? CBORError)?.code == .unexpectedItem)
    }

    @Test func missingAndNullAreDifferentErrors() throws {
        let missing = #expect(throws: DecodingError.self) {
            try CBORDecoder().decode(Labeled.self, from: try #require([UInt8](hex: "a1012a")))
        }
        guard case .keyNotFound(let key, _) = missing else {
            Issue.record("\(String(describing: missing))")
            return
        }
        #expect(key.intValue == -1)
        let null = #expect(throws: DecodingError.self) {
            try CBORDecoder().decode(Labeled.self, from: try #require([UInt8](hex: "a30102200119012cf6")))
        }
        guard case .valueNotFound(_, let context) = null else {
            Issue.record("\(String(describing: null))")
            return
        }
        #expect(context.codingPath.map(\.intValue) == [300])
    }

    @Test func numbersMustFit() throws {
        #expect(throws: DecodingError.self) { try CBORDecoder().decode(UInt8.self, from: [0x19, 1, 0]) }
        #expect(throws: DecodingError.self) { try CBORDecoder().decode(UInt.self, from: [0x20]) }
        #expect(throws: DecodingError.self) { try CBORDecoder().decode(Int.self, from: [0xf9, 0x3c, 0]) }
        #expect(throws: DecodingError.self) {
            try CBORDecoder().decode(Double.self, from: [0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
        }
        #expect(throws: DecodingError.self) {
            try CBORDecoder().decode(Float.self, from: CBOR.double(1e300).encoded())
        }
        #expect(try CBORDecoder().decode(Double.self, from: [0x18, 42]) == 42)
        #expect(try CBORDecoder().decode(Int64.self, from: [0x3b, 0x7f] + [UInt8](repeating: 0xff, count: 7)) == .min)
        #expect(throws: DecodingError.self) {
            try CBORDecoder().decode(Int64.self, from: [0x3b, 0x80] + [UInt8](repeating: 0, count: 7))
        }
    }

    @Test(arguments: [
        (CBORDateForm.dateTime, "c0781b323031332d30332d32315432303a30343a30302e3132333435365a"),
        (.epochTime, "c1fb41d452d9ec07e6b4"), (.fullDate, "d903ec6a323031332d30332d3231"), (.epochDate, "d864193da9"),
        (.seconds, "fb41d452d9ec07e6b4"),
    ])
    func datesHaveAForm(form: CBORDateForm, hex: String) throws {
        let date = Date(timeIntervalSince1970: 1_363_896_240.123456)
        var encoder = CBOREncoder()
        encoder.dates = form
        let bytes = try encoder.encode(date)
        #expect(bytes.hex == hex)
        var decoder = CBORDecoder()
        if form == .seconds {
            #expect(throws: DecodingError.self) { try decoder.decode(Date.self, from: bytes) }
            decoder.dates = form
        }
        let decoded = try decoder.decode(Date.self, from: bytes)
        let precision: Double = form == .fullDate || form == .epochDate ? 86400 : 1e-6
        #expect(abs(decoded.timeIntervalSince(date)) < precision)
    }

    @Test func wholeSecondsAreIntegers() throws {
        var encoder = CBOREncoder()
        encoder.dates = .epochTime
        #expect(try encoder.encode(Date(timeIntervalSince1970: 1_363_896_240)).hex == "c11a514b67b0")
        #expect(throws: EncodingError.self) { try encoder.encode(Date(timeIntervalSince1970: .infinity)) }
    }

    private struct Tagged: Codable, Equatable {
        var uri: CBORTagged<String>
        var raw: CBOR
        var item: EncodedCBOR<[Int]>
        var embedded: EmbeddedCBOR<[String: Int]>
        var day: CBORDate
        var when: CBORDateTime
    }

    @Test func tagsAndBytesStayAsTheyAre() throws {
        let value: CBOR = [
            "uri": .tagged(32, "http://x"), "raw": .tagged(1000, [nil, 1.5]), "item": [1, 2],
            "embedded": .embedded(["a": 1]), "day": .tagged(1004, "2018-08-09"),
            "when": .tagged(0, "2013-03-21T20:04:00Z"),
        ]
        var bytes = value.encoded()
        // An element in a longer form: the bytes kept must be these.
        let place = try #require(bytes.firstRange(of: [0x82, 0x01, 0x02]))
        bytes.replaceSubrange(place, with: [0x82, 0x18, 0x01, 0x02])
        let decoded = try CBORDecoder().decode(Tagged.self, from: bytes)
        #expect(decoded.uri == CBORTagged(32, "http://x"))
        #expect(decoded.raw == .tagged(1000, [nil, 1.5]))
        #expect(decoded.item.value == [1, 2])
        #expect(decoded.item.encodedBytes == [0x82, 0x18, 0x01, 0x02])
        #expect(decoded.embedded.contentBytes.hex == "a1616101")
        #expect(try CBOREncoder().encode(decoded) == bytes)
    }

    @Test func errorsHaveThePath() throws {
        let bytes = (["list": [["name": 1]]] as CBOR).encoded()
        let error = #expect(throws: DecodingError.self) {
            try CBORDecoder().decode([String: [[String: String]]].self, from: bytes)
        }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["list", "Index 0", "name"])
    }

    private class Base: Codable {
        var id = 1
    }

    private final class Derived: Base {
        var extra = "e"

        private enum CodingKeys: CodingKey { case extra }

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            extra = try container.decode(String.self, forKey: .extra)
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(extra, forKey: .extra)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test func classesWithASuperclassRoundTrip() throws {
        let value = Derived()
        value.id = 7
        value.extra = "x"
        let decoded = try CBORDecoder().decode(Derived.self, from: CBOREncoder().encode(value))
        #expect(decoded.id == 7)
        #expect(decoded.extra == "x")
    }

    @Test func nestedContainersAndEnumsRoundTrip() throws {
        enum Shape: Codable, Equatable {
            case circle(radius: Double)
            case polygon([Int], closed: Bool)
            case none
        }
        let shapes: [Shape?] = [.circle(radius: 1.5), nil, .polygon([1, 2], closed: true), Shape.none]
        #expect(try CBORDecoder().decode([Shape?].self, from: CBOREncoder().encode(shapes)) == shapes)
    }
}

extension DecodingError {
    fileprivate var underlying: (any Error)? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context.underlyingError
        @unknown default: nil
        }
    }
}
