import JSONKit
import Testing

@Suite struct EncoderTests {
    private func text(_ value: some Encodable, _ encoder: StrictJSONEncoder = StrictJSONEncoder()) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func keepsTheOrderOfMembers() throws {
        struct Model: Encodable {
            var z = 1
            var a = "x\n"
            var m: [Bool] = [true, false]
            var none: Int?
            var inner = ["k": 1.5]
        }
        #expect(try text(Model()) == #"{"z":1,"a":"x\n","m":[true,false],"inner":{"k":1.5}}"#)
        #expect(try text([1, 2], StrictJSONEncoder(format: .pretty)) == "[\n  1,\n  2\n]")
        #expect(try StrictJSONEncoder().encodeValue(Model())["a"] == "x\n")
    }

    @Test func writesNumbersShortAndExact() throws {
        #expect(try text([0.1, 100, -0.0, 1e300, 5e-7, 1.5]) == "[0.1,100,-0,1e+300,5e-7,1.5]")
        #expect(try text([0.1, 16_777_216, 3.4028235e38] as [Float]) == "[0.1,16777216,3.4028235e+38]")
        #expect(try text([UInt64.max]) == "[18446744073709551615]")
        #expect(try text([Int128.min]) == "[-170141183460469231731687303715884105728]")
    }

    @Test func refusesNumbersWithoutForm() throws {
        struct Model: Encodable { var list: [Double] }
        let error = try #require(throws: JSONError.self) { try StrictJSONEncoder().encode(Model(list: [1, .nan])) }
        #expect(error.code == .nonFiniteNumber)
        #expect(error.path.description == "$.list[1]")
        let single = #expect(throws: JSONError.self) { try StrictJSONEncoder().encode(Float.infinity) }
        #expect(single?.code == .nonFiniteNumber)
        let member = #expect(throws: JSONError.self) { try StrictJSONEncoder().encode(["x": -Double.infinity]) }
        #expect(member?.path.description == "$.x")
    }

    @Test func writesBytesAsTold() throws {
        let bytes: [UInt8] = [0xff, 0xfe]
        #expect(try text([bytes]) == #"["__4"]"#)
        #expect(try text([bytes], StrictJSONEncoder(bytes: .base64)) == #"["//4="]"#)
        #expect(try text([bytes], StrictJSONEncoder(bytes: .numbers)) == "[[255,254]]")
    }

    @Test func fillsContainersInAnyOrder() throws {
        struct Model: Encodable {
            enum Keys: String, CodingKey { case first, second, list, base }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                var first = container.nestedContainer(keyedBy: Keys.self, forKey: .first)
                var list = container.nestedUnkeyedContainer(forKey: .list)
                try container.encode(2, forKey: .second)
                try list.encodeNil()
                var inner = list.nestedUnkeyedContainer()
                var object = list.nestedContainer(keyedBy: Keys.self)
                try object.encodeNil(forKey: .first)
                try inner.encode("in")
                try first.encode(1, forKey: .first)
                try 3.encode(to: list.superEncoder())
                try 4.encode(to: container.superEncoder())
                try 5.encode(to: container.superEncoder(forKey: .base))
                var again = encoder.container(keyedBy: Keys.self)
                try again.encode(6, forKey: .second)
                #expect(list.count == 4)
            }
        }
        #expect(
            try text(Model())
                == #"{"first":{"first":1},"list":[null,["in"],{"first":null},3],"second":6,"super":4,"base":5}"#
        )
    }

    @Test func refusesATypeThatEncodesNothing() throws {
        struct Silent: Encodable { func encode(to encoder: any Encoder) {} }
        for value in [["a": [Silent()]]] {
            let error = #expect(throws: JSONError.self) { try StrictJSONEncoder().encode(value) }
            #expect(error?.code == .invalidValue)
            #expect(error?.path.description == "$.a[0]")
        }
        struct SilentPart: Encodable {
            func encode(to encoder: any Encoder) {
                var container = encoder.unkeyedContainer()
                _ = container.superEncoder()
            }
        }
        let error = #expect(throws: JSONError.self) { try StrictJSONEncoder().encode(SilentPart()) }
        #expect(error?.code == .invalidValue)
    }

    @Test func passesOnWhatATypeThrows() throws {
        struct Mine: Error {}
        struct Thrower: Encodable { func encode(to encoder: any Encoder) throws { throw Mine() } }
        let error = try #require(throws: JSONError.self) { try StrictJSONEncoder().encode([Thrower()]) }
        #expect(error.code == .invalidValue)
        #expect(error.cause is Mine)
        struct Refuser: Encodable {
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(0, .init(codingPath: encoder.codingPath, debugDescription: "not this"))
            }
        }
        let refusal = try #require(throws: JSONError.self) { try StrictJSONEncoder().encode(["k": Refuser()]) }
        #expect(refusal.code == .invalidValue)
        #expect(refusal.message == "not this")
        #expect(refusal.path.description == "$.k")
    }

    @Test func passesUserInfo() throws {
        struct Writer: Encodable {
            func encode(to encoder: any Encoder) throws {
                let key = try #require(CodingUserInfoKey(rawValue: "k"))
                try (encoder.userInfo[key] as? Int).encode(to: encoder)
            }
        }
        var encoder = StrictJSONEncoder()
        encoder.userInfo[try #require(CodingUserInfoKey(rawValue: "k"))] = 5
        #expect(try text([Writer()], encoder) == "[5]")
    }
}
