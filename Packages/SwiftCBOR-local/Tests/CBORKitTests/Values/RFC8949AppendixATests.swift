import CBORKit
import TestSupport
import Testing

/// The examples that RFC 8949 appendix A prints, both ways.
@Suite struct RFC8949AppendixATests {
    static let preferred: [(CBOR, String)] = [
        (0, "00"), (1, "01"), (10, "0a"), (23, "17"), (24, "1818"), (25, "1819"), (100, "1864"), (1000, "1903e8"),
        (1_000_000, "1a000f4240"), (1_000_000_000_000, "1b000000e8d4a51000"),
        (CBOR.unsigned(.max), "1bffffffffffffffff"),
        (CBOR.integer(Int128(1) << 64), "c249010000000000000000"),
        (CBOR.negative(.max), "3bffffffffffffffff"),
        (CBOR.integer(-1 - (Int128(1) << 64)), "c349010000000000000000"),
        (-1, "20"), (-10, "29"), (-100, "3863"), (-1000, "3903e7"),
        (0.0, "f90000"), (-0.0, "f98000"), (1.0, "f93c00"), (1.1, "fb3ff199999999999a"), (1.5, "f93e00"),
        (65504.0, "f97bff"), (100000.0, "fa47c35000"), (3.4028234663852886e+38, "fa7f7fffff"),
        (1.0e+300, "fb7e37e43c8800759c"), (5.960464477539063e-8, "f90001"), (0.00006103515625, "f90400"),
        (-4.0, "f9c400"), (-4.1, "fbc010666666666666"),
        (CBOR.double(.infinity), "f97c00"), (CBOR.double(.nan), "f97e00"), (CBOR.double(-.infinity), "f9fc00"),
        (false, "f4"), (true, "f5"), (nil, "f6"), (CBOR.undefined, "f7"),
        (CBOR.tagged(0, "2013-03-21T20:04:00Z"), "c074323031332d30332d32315432303a30343a30305a"),
        (CBOR.tagged(1, 1_363_896_240), "c11a514b67b0"), (CBOR.tagged(1, 1363896240.5), "c1fb41d452d9ec200000"),
        (CBOR.tagged(23, .bytes([1, 2, 3, 4])), "d74401020304"),
        (CBOR.tagged(24, .bytes(Array("dIETF".utf8))), "d818456449455446"),
        (CBOR.tagged(32, "http://www.example.com"), "d82076687474703a2f2f7777772e6578616d706c652e636f6d"),
        (CBOR.bytes([]), "40"), (CBOR.bytes([1, 2, 3, 4]), "4401020304"),
        ("", "60"), ("a", "6161"), ("IETF", "6449455446"), ("\"\\", "62225c"), ("\u{fc}", "62c3bc"),
        ("\u{6c34}", "63e6b0b4"), ("\u{10151}", "64f0908591"),
        ([], "80"), ([1, 2, 3], "83010203"), ([1, [2, 3], [4, 5]], "8301820203820405"),
        (CBOR.array((1...25).map { .integer($0) }), "98190102030405060708090a0b0c0d0e0f101112131415161718181819"),
        ([:], "a0"), ([1: 2, 3: 4], "a201020304"), (["a": 1, "b": [2, 3]], "a26161016162820203"),
        (["a", ["b": "c"]], "826161a161626163"),
        (["a": "A", "b": "B", "c": "C", "d": "D", "e": "E"], "a56161614161626142616361436164614461656145"),
    ]

    @Test func preferredExamplesReadAndWrite() throws {
        for (value, hex) in Self.preferred {
            let bytes = try [UInt8](figure: hex)
            #expect(value.encoded().hex == hex)
            #expect(value.encoded(.deterministic).hex == hex)
            #expect(try CBOR(decoding: bytes, options: .deterministic) == value, "\(hex)")
            #expect(try FormedCBOR(decoding: bytes).encoded().hex == hex)
        }
        let simple = try #require(CBORSimpleValue(rawValue: 16))
        #expect(try CBOR(decoding: [0xf0]) == .simple(simple))
        #expect(CBOR.simple(simple).encoded().hex == "f0")
        let last = try #require(CBORSimpleValue(rawValue: 255))
        #expect(try CBOR(decoding: [0xf8, 0xff]) == .simple(last))
        #expect(CBOR.simple(last).encoded().hex == "f8ff")
    }

    static let other: [(CBOR, String)] = [
        (CBOR.double(.infinity), "fa7f800000"), (CBOR.double(.nan), "fa7fc00000"),
        (CBOR.double(-.infinity), "faff800000"),
        (CBOR.double(.infinity), "fb7ff0000000000000"), (CBOR.double(.nan), "fb7ff8000000000000"),
        (CBOR.double(-.infinity), "fbfff0000000000000"),
        (CBOR.bytes([1, 2, 3, 4, 5]), "5f42010243030405ff"), ("streaming", "7f657374726561646d696e67ff"),
        ([], "9fff"), ([1, [2, 3], [4, 5]], "9f018202039f0405ffff"), ([1, [2, 3], [4, 5]], "9f01820203820405ff"),
        ([1, [2, 3], [4, 5]], "83018202039f0405ff"), ([1, [2, 3], [4, 5]], "83019f0203ff820405"),
        (CBOR.array((1...25).map { .integer($0) }), "9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff"),
        (["a": 1, "b": [2, 3]], "bf61610161629f0203ffff"), (["a", ["b": "c"]], "826161bf61626163ff"),
        (["Fun": true, "Amt": -2], "bf6346756ef563416d7421ff"),
    ]

    @Test func otherExamplesReadAndAreKeptAsRead() throws {
        for (value, hex) in Self.other {
            let bytes = try [UInt8](figure: hex)
            #expect(try CBOR(decoding: bytes) == value, "\(hex)")
            #expect(try FormedCBOR(decoding: bytes).encoded().hex == hex)
            #expect(try FormedCBOR(decoding: bytes).value.encoded() == value.encoded())
            #expect(CBORError.reading(bytes, .deterministic)?.code == .notDeterministic, "\(hex)")
        }
    }
}
