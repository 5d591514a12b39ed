import CBORKit
import TestSupport
import Testing

/// dCBOR (draft-mcnally-deterministic-cbor), read and written.
@Suite struct DCBORTests {
    /// Appendix A, "dCBOR Numeric Encodings": the integers.
    static let integers: [(Int128, String)] = [
        (0, "00"), (1, "01"), (23, "17"), (24, "1818"), (255, "18ff"), (65535, "19ffff"), (65536, "1a00010000"),
        (4_294_967_295, "1affffffff"), (4_294_967_296, "1b0000000100000000"),
        (18_446_744_073_709_551_615, "1bffffffffffffffff"), (-1, "20"), (-2, "21"), (-127, "387e"), (-128, "387f"),
        (-32768, "397fff"), (-2_147_483_648, "3a7fffffff"), (-9_223_372_036_854_775_808, "3b7fffffffffffffff"),
    ]

    /// Appendix A, "dCBOR Numeric Encodings": the floating-point numbers.
    static let floats: [(Double, String)] = [
        (1.5, "f93e00"), (2345678.25, "fa4a0f2b39"), (1.2, "fb3ff3333333333333"), (42, "182a"),
        (2_345_678, "1a0023cace"), (-2_345_678, "3a0023cacd"), (-0.0, "00"), (5.960464477539063e-08, "f90001"),
        (1.401298464324817e-45, "fa00000001"), (.leastNonzeroMagnitude, "fb0000000000000001"),
        (2.2250738585072014e-308, "fb0010000000000000"), (6.103515625e-05, "f90400"), (65504, "19ffe0"),
        (33_554_430, "1a01fffffe"), (-9_223_372_036_854_774_784, "3b7ffffffffffffbff"),
        (18_446_744_073_709_549_568, "1bfffffffffffff800"), (18_446_744_073_709_551_616, "fa5f800000"),
        (-18_446_742_974_197_923_840, "fadf7fffff"), (3.4028234663852886e+38, "fa7f7fffff"),
        (3.402823466385289e+38, "fb47efffffe0000001"), (1.7976931348623157e+308, "fb7fefffffffffffff"),
        (.infinity, "f97c00"), (-.infinity, "f9fc00"), (.nan, "f97e00"),
    ]

    /// Appendix A, "Invalid dCBOR Encodings".
    static let invalid = [
        "f94a00", "fb3ff8000000000000", "3b8000000000000000", "3bffffffffffffffff", "fb7ff0000000000000", "fa7f800000",
        "fbfff0000000000000", "faff800000", "fb7ff9100000000001", "faffc00001", "f97e01",
    ]

    @Test func readsAndWritesTheEncodingsOfAppendixA() throws {
        let values: [(CBOR, String)] =
            Self.integers.map { (CBOR.integer($0.0), $0.1) } + Self.floats.map { (CBOR.double($0.0), $0.1) }
        for (value, hex) in values {
            #expect(try value.dCBOREncoded().hex == hex)
            let bytes = try [UInt8](figure: hex)
            #expect(CBORError.reading(bytes, .dCBOR) == nil, "\(hex)")
            #expect(try CBOR(decoding: bytes, options: .dCBOR).dCBOREncoded() == bytes)
        }
    }

    @Test(arguments: invalid)
    func refusesTheInvalidEncodingsOfAppendixA(hex: String) throws {
        let error = try #require(CBORError.reading([UInt8](figure: hex), .dCBOR))
        #expect(error.code == .notDeterministic)
        #expect(error.offset == 0)
        // All of them are valid CBOR.
        #expect(CBORError.reading(try [UInt8](figure: hex)) == nil)
    }

    /// Section 2.5: from −2^63 to 2^64 − 1, and one past either bound.
    @Test(arguments: [
        (-0x1p63, "3b7fffffffffffffff"), ((-0x1p63).nextDown, "fbc3e0000000000001"),
        ((-0x1p63).nextUp, "3b7ffffffffffffbff"),
        (-0x1p64, "fadf800000"), (0x1p64, "fa5f800000"), ((0x1p64).nextDown, "1bfffffffffffff800"),
        ((-1.0).nextDown, "fbbff0000000000001"),
    ])
    func reducesFloatsWithinTheRangeOfIntegersOnly(number: Double, hex: String) throws {
        #expect(try CBOR.double(number).dCBOREncoded().hex == hex)
        #expect(CBORError.reading(try [UInt8](figure: hex), .dCBOR) == nil)
    }

    @Test(arguments: [
        ("3b8000000000000000", 0), ("82003b8000000000000000", 2), ("a13b800000000000000000", 1),
        ("c13bffffffffffffffff", 1),
        ("c482003bffffffffffffffff", 3),
    ])
    func integersBelowTheRangeAreRefusedEverywhere(hex: String, offset: Int) throws {
        let bytes = try [UInt8](figure: hex)
        let error = try #require(CBORError.reading(bytes, .dCBOR))
        #expect(error.code == .notDeterministic)
        #expect(error.offset == offset)
        let writing = #expect(throws: CBORError.self) { try CBOR(decoding: bytes).dCBOREncoded() }
        #expect(writing?.code == .notEncodable)
        #expect(CBORError.reading(bytes, .deterministic) == nil)
        var reader = CBORIncrementalReader(options: .dCBOR)
        reader.feed(bytes)
        #expect(throws: CBORError.self) { try reader.next() }
        #expect(throws: CBORError.self) { try CBORDocument.sequence(bytes, options: .dCBOR) }
    }

    /// Bignums do not circumvent the range: one that fits 64 bits is not in preferred form, and beyond that it is
    /// allowed.
    @Test func bignumsAreForWhatNoIntegerHolds() throws {
        for hex in ["c3488000000000000000", "c248ffffffffffffffff"] {
            #expect(CBORError.reading(try [UInt8](figure: hex), .dCBOR)?.code == .notDeterministic)
        }
        let tooLow = CBORBigInteger(isNegative: true, argument: [0x80, 0, 0, 0, 0, 0, 0, 0]).cbor
        #expect(throws: CBORError.self) { try tooLow.dCBOREncoded() }
        let bytes = try [UInt8](figure: "c349010000000000000000")
        #expect(try CBOR(decoding: bytes, options: .dCBOR).dCBOREncoded() == bytes)
    }

    @Test func reducesNumbersWherever() throws {
        let value: CBOR = [12.0: [-0.0, 1e300, 2.5], "x": .tagged(1, 7.0)]
        #expect(try value.dCBOREncoded().hex == "a20c8300fb7e37e43c8800759cf941006178c107")
        #expect(try CBOR.double(.nan).dCBOREncoded().hex == "f97e00")
        #expect(try CBOR.float(CBORFloat(halfBitPattern: 0x7e01)).dCBOREncoded().hex == "f97e00")
    }

    @Test func refusesToWriteWhatItDoesNotHave() throws {
        let simple = try #require(CBORSimpleValue(rawValue: 0))
        let values: [CBOR] = [
            .undefined, [.simple(simple)], "e\u{301}", ["e\u{301}": 1], .tagged(1, .undefined), .negative(1 << 63),
            [.negative(.max): 1],
        ]
        for value in values {
            let error = #expect(throws: CBORError.self) { try value.dCBOREncoded() }
            #expect(error?.code == .notEncodable)
        }
        let twice: CBOR = [1: "a", 1.0: "b"]
        let error = #expect(throws: CBORError.self) { try twice.dCBOREncoded() }
        #expect(error?.code == .duplicateKey)
        #expect(try CBOR("\u{e9}").dCBOREncoded().hex == "62c3a9")
    }
}
