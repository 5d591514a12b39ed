import CBORKit
import TestSupport
import Testing

/// The tags with typed support: what they hold and what they refuse.
@Suite struct TypedTagTests {
    private func root(_ hex: String) throws -> CBORView { try CBORDocument([UInt8](figure: hex)).root }

    @Test func epochTimes() throws {
        #expect(try root("c11a514b67b0").epochTime() == .seconds(1_363_896_240))
        #expect(try root("c1fb41d452d9ec200000").epochTime() == .fractionalSeconds(1363896240.5))
        #expect(try root("c120").epochTime().secondsSinceEpoch == -1)
        #expect(CBOR.epochTime(.seconds(-1)).encoded().hex == "c120")
        #expect(CBOR.epochTime(.fractionalSeconds(0.5)).encoded().hex == "c1f93800")
        for hex in ["c1f97e00", "c1f97c00", "c1f9fc00", "c11b8000000000000000", "c13b8000000000000000"] {
            let error = #expect(throws: CBORError.self, "\(hex)") { try root(hex).epochTime() }
            #expect(error?.code == .outOfRange)
        }
        #expect(throws: CBORError.self) { try root("c16161").epochTime() }
    }

    @Test func bigIntegers() throws {
        for (hex, value) in [
            ("c249010000000000000000", Int128(1) << 64), ("c349010000000000000000", -1 - (Int128(1) << 64)),
            ("c2420001", 1), ("c340", -1), ("c240", 0), ("1bffffffffffffffff", (Int128(1) << 64) - 1), ("20", -1),
            ("c25f41014100ff", 256),
        ] {
            #expect(try root(hex).bigInteger().integer(as: Int128.self) == value, "\(hex)")
            #expect(try root(hex).bigInteger().cbor == .integer(value), "\(hex)")
        }
        let huge = try root("c2" + "5864" + String(repeating: "ff", count: 100)).bigInteger()
        #expect(huge.argument.count == 100)
        #expect(huge.integer(as: Int128.self) == nil)
        #expect(CBORBigInteger(Int128.min).integer(as: Int128.self) == .min)
        #expect(CBORBigInteger(Int128.min).integer(as: Int64.self) == nil)
        #expect(CBORBigInteger(UInt128.max).integer(as: UInt128.self) == .max)
        #expect(CBORBigInteger(-1).integer(as: UInt8.self) == nil)
        #expect(CBORBigInteger(-128).integer(as: Int8.self) == -128)
        #expect(CBORBigInteger(128).integer(as: Int8.self) == nil)
        #expect(throws: CBORError.self) { try root("c26161").bigInteger() }
        #expect(throws: CBORError.self) { try root("c101").bigInteger() }
    }

    /// RFC 8949 section 3.4.4.
    @Test func scaledNumbers() throws {
        let fraction = try root("c48221196ab3").decimalFraction()
        #expect(fraction.exponent == -2)
        #expect(fraction.mantissa == CBORBigInteger(27315))
        #expect(fraction.cbor.encoded().hex == "c48221196ab3")
        let float = try root("c5822003").bigfloat()
        #expect(float.exponent == -1)
        #expect(float.mantissa == CBORBigInteger(3))
        #expect(float.cbor.encoded().hex == "c5822003")
        let wide = try root("c4823bffffffffffffffffc249010000000000000000").decimalFraction()
        #expect(wide.exponent == -(1 << 64))
        #expect(CBORDecimalFraction(exponent: 1 << 64, mantissa: CBORBigInteger(1)) == nil)
        #expect(CBORBigfloat(exponent: -1 - (1 << 64), mantissa: CBORBigInteger(1)) == nil)
        for hex in [
            "c48101", "c483010203", "c401", "c482f9000001", "c482c2490100000000000000000 1", "c4820161 61", "c58101",
        ] {
            #expect(throws: CBORError.self, "\(hex)") {
                let view = try root(hex)
                _ = view.tag == 4 ? try view.decimalFraction().cbor : try view.bigfloat().cbor
            }
        }
    }

    @Test func expectedEncodings() throws {
        let bytes: [UInt8] = [0xfb, 0xff, 0xfe, 0x01]
        #expect(try root("d54101").expectedEncoding == .base64URL)
        #expect(try root("d64101").expectedEncoding == .base64)
        #expect(try root("d74101").expectedEncoding == .base16)
        #expect(try root("d84101").expectedEncoding == nil)
        #expect(CBORExpectedEncoding.base64URL.text(for: bytes) == "-__-AQ")
        #expect(CBORExpectedEncoding.base64.text(for: bytes) == "+//+AQ==")
        #expect(CBORExpectedEncoding.base16.text(for: bytes) == "FBFFFE01")
        #expect(CBORExpectedEncoding.base64.text(for: []) == "")
        #expect(CBOR.expected(.base16, .bytes(bytes)).encoded().hex == "d744fbfffe01")
    }

    @Test func uris() throws {
        let item = try #require(CBOR.uri("http://www.example.com"))
        #expect(try CBORDocument(item.encoded()).root.uri() == "http://www.example.com")
        #expect(CBOR.uri("urn:a%20b") != nil)
        for text in ["", "no scheme", "1a:x", "a:b c", "a:%2", "a:%zz", "a:ü", ":x", "a:<x>"] {
            #expect(CBOR.uri(text) == nil, "\(text)")
            let view = try CBORDocument(CBOR.tagged(32, .text(text)).encoded()).root
            let error = #expect(throws: CBORError.self) { try view.uri() }
            #expect(error?.code == .invalidTagContent)
            #expect(error?.offset == 2)
        }
    }

    @Test func datesAndDateTimesRefuseOtherText() throws {
        for hex in ["c06161", "d903ec6161", "d903ec6a323032332d30322d3239"] {
            let view = try root(hex)
            let error = #expect(throws: CBORError.self, "\(hex)") {
                if view.tag == 0 { _ = try view.dateTime() } else { _ = try view.date() }
            }
            #expect(error?.code == .invalidTagContent)
        }
        // RFC 8943 section 1.1: the figures for 1940-10-09 and 1980-12-08.
        #expect(try root("d8643929b3").date() == CBORDate("1940-10-09"))
        #expect(try root("d903ec6a313938302d31322d3038").date() == CBORDate("1980-12-08"))
        #expect(throws: CBORError.self) { try root("d8641b7fffffffffffffff").date() }
        #expect(throws: CBORError.self) { try root("d8646161").date() }
    }

    @Test func selfDescriptionIsSeenThrough() throws {
        let bytes = CBOR.selfDescribed([1]).encoded()
        #expect(bytes.hex == "d9d9f78101")
        #expect(try CBORDocument(bytes).root.withoutSelfDescription().encodedBytes.hex == "8101")
        #expect(try root("8101").withoutSelfDescription().encodedBytes.hex == "8101")
        #expect(try root("d9d9f7c101").untagged().encodedBytes.hex == "01")
    }

    /// Content that each tag takes, and content that it does not; the offset is that of the content.
    @Test func contentIsCheckedOnRequest() throws {
        let valid = [
            "c074323031332d30332d32315432303a30343a30305a", "c100", "c1f90000", "c13863", "c240", "c35f4101ff",
            "c4822001", "c48220c24101", "c582 00 20", "d28440a0f640", "d28440a0410040", "d541 00", "d6 80", "d7a0",
            "d8184101", "d8185f4101ff", "d82063613a62", "d86420", "d903ec6a323031332d30332d3231", "d9d9f700",
            "d904d280",
        ]
        let invalid = [
            "c001", "c06161", "c16161", "c1f97e00", "c1fb7e37e43c8800759c", "c11b000000 3afff44180", "c2 01", "c36161",
            "c48101", "c4 82f93c0001", "c482 01f93c00", "c482c2410101", "c58301 0203", "d28340a0f6", "d284 4000f640",
            "d28440a0f540",
            "d2f6", "d28440a0f6f6", "d81801", "d8186161", "d818421901", "d818420101", "d81840", "d8206161", "d82001",
            "d8646161", "d864f90000", "d903ec01", "d903ec6a323031332d30322d3239",
        ]
        for hex in valid {
            let bytes = try [UInt8](figure: hex)
            #expect(CBORError.reading(bytes, .with { $0.checksTagContent = true }) == nil, "\(hex)")
        }
        for hex in invalid {
            let bytes = try [UInt8](figure: hex)
            #expect(CBORError.reading(bytes) == nil, "\(hex)")
            let error = try #require(CBORError.reading(bytes, .with { $0.checksTagContent = true }), "\(hex)")
            #expect(error.code == .invalidTagContent, "\(hex)")
            #expect(error.offset == (bytes[0] == 0xd8 ? 2 : bytes[0] == 0xd9 ? 3 : 1), "\(hex)")
        }
    }

    @Test func unknownTagsPassUntouched() throws {
        for number in [6, 63, 98, 65535, UInt64.max] {
            let value = CBOR.tagged(number, ["x": .tagged(number, 1)])
            let bytes = value.encoded(.deterministic)
            #expect(try CBOR(decoding: bytes, options: .with { $0.checksTagContent = true }) == value)
            #expect(try CBORDocument(bytes).root.content(ofTag: number).kind == .map)
        }
    }
}
