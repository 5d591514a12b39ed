import CBORKit
import TestSupport
import Testing

/// Half, single and double precision (RFC 8949 section 3.3 and appendix D).
@Suite struct FloatTests {
    /// The number of a half-precision pattern by the definition of binary16: products of powers of two are exact.
    private func number(half bits: UInt16) -> Double {
        let mantissa = Double(bits & 0x3ff)
        let exponent = Int(bits >> 10 & 0x1f)
        let magnitude =
            exponent == 0
            ? Double(sign: .plus, exponent: -24, significand: mantissa)
            : Double(sign: .plus, exponent: exponent - 25, significand: mantissa + 1024)
        return bits >> 15 == 0 ? magnitude : -magnitude
    }

    @Test func all65536HalvesAreExact() throws {
        let halves = 0...UInt16.max
        let bytes = halves.reduce(into: [0x9a, 0, 1, 0, 0]) { $0 += [0xf9, UInt8($1 >> 8), UInt8($1 & 0xff)] }
        let values = try #require(try CBOR(decoding: bytes).arrayValue)
        #expect(values.count == 65536)
        var wrong: [UInt16] = []
        for (half, value) in zip(halves, values) where !holds(value, half) { wrong.append(half) }
        #expect(wrong.isEmpty, "\(wrong.prefix(10))")
        #expect(try FormedCBOR(decoding: bytes).encoded() == bytes)
    }

    private func holds(_ value: CBOR, _ half: UInt16) -> Bool {
        guard case .float(let float) = value, float.precision == .half, float.isShortest else { return false }
        let isSpecial = half >> 10 & 0x1f == 0x1f
        guard isSpecial, half & 0x3ff != 0 else {
            let infinity = half >> 15 == 0 ? Double.infinity : -Double.infinity
            return float.value.bitPattern == (isSpecial ? infinity : number(half: half)).bitPattern
                && CBOR.double(float.value).encoded() == [0xf9, UInt8(half >> 8), UInt8(half & 0xff)]
        }
        // The payload of a NaN stands at the top of the wider one; preferred serialization has only one NaN.
        let bits = UInt64(half >> 15) << 63 | 0x7ff << 52 | UInt64(half & 0x3ff) << 42
        return float.value.bitPattern == bits && CBOR.double(float.value).encoded() == [0xf9, 0x7e, 0]
    }

    @Test func neighborsOfHalvesTakeMore() {
        for half in stride(from: UInt16(0), to: 0x7c00, by: 7) {
            let number = number(half: half)
            #expect(CBOR.double(number.nextUp).encoded()[0] == 0xfb)
            let single = Float(number).nextUp
            #expect(CBOR.double(Double(single)).encoded() == [0xfa] + bytes(UInt64(single.bitPattern), 4))
        }
    }

    private func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    @Test func shortestFormsHoldTheNumber() throws {
        var random = RepeatableRandomNumberGenerator(seed: 2)
        for _ in 0..<5000 {
            let bits = random.next()
            let single = UInt32(truncatingIfNeeded: bits)
            try expectShortest(CBORFloat(doubleBitPattern: bits))
            try expectShortest(CBORFloat(singleBitPattern: single))
        }
    }

    private func expectShortest(_ float: CBORFloat) throws {
        let shortest = CBOR.float(float).encoded()
        let read = try CBORDocument(shortest, options: .deterministic).root.float()
        #expect(read == float || read.value.isNaN && float.value.isNaN)
        let encoded = float.encodedInItsPrecision
        #expect(encoded.count == 1 + (1 << (Int(float.precision.rawValue) - 24)))
        let kept = try CBORDocument(encoded).root.float()
        #expect(kept.value.bitPattern == float.value.bitPattern)
        #expect(kept.precision == float.precision)
    }

    @Test(arguments: [
        "f97e00", "f97e01", "f97c01", "f9fe00", "f9ffff", "fa7fc00000", "fa7f800001", "faffc00001", "fa7fffe000",
        "fb7ff8000000000000", "fb7ff0000000000001", "fbfff8000000000001", "fb7ffffc0000000000",
    ])
    func payloadsOfNaNSurvive(hex: String) throws {
        let bytes = try [UInt8](figure: hex)
        let value = try CBOR(decoding: bytes)
        #expect(value.doubleValue?.isNaN == true)
        #expect(try FormedCBOR(decoding: bytes).encoded() == bytes)
        #expect(value.encoded().hex == "f97e00")
        #expect(value == (try CBOR(decoding: bytes)))
        #expect((CBORError.reading(bytes, .deterministic) == nil) == (hex == "f97e00"))
    }

    @Test func equalityIsByBitsNotByPrecision() throws {
        #expect(try CBOR(decoding: [UInt8](figure: "fb3ff8000000000000")) == CBOR(decoding: [UInt8](figure: "f93e00")))
        #expect(CBOR.double(0.0) != CBOR.double(-0.0))
        #expect(try CBOR(decoding: [UInt8](figure: "f97e00")) == CBOR(decoding: [UInt8](figure: "fb7ff8000000000000")))
        #expect(try CBOR(decoding: [UInt8](figure: "f97e00")) != CBOR(decoding: [UInt8](figure: "f97e01")))
    }

    @Test func noPrecisionThatLosesCanBeMade() {
        #expect(CBORFloat(1.1, precision: .single) == nil)
        #expect(CBORFloat(65505, precision: .half) == nil)
        #expect(CBORFloat(0x1p-25, precision: .half) == nil)
        #expect(CBORFloat(0x1p-150, precision: .single) == nil)
        #expect(CBORFloat(1.5, precision: .double)?.isShortest == false)
        #expect(CBORFloat(1.5, precision: .half)?.isShortest == true)
    }
}
