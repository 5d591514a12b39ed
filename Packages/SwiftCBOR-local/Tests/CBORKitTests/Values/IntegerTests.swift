import CBORKit
import TestSupport
import Testing

/// Integers from −2^64 to 2^64 − 1, and those beyond.
@Suite struct IntegerTests {
    /// All powers of two and their neighbors.
    static let borders: [Int128] = (0...66).flatMap { power -> [Int128] in
        let value = Int128(1) << power
        return [value - 1, value, value + 1, -value - 1, -value, -value + 1]
    }

    /// The encoding by RFC 8949 section 3.1, spelled out.
    private func encoding(of value: Int128) -> [UInt8] {
        let argument = value < 0 ? -1 - value : value
        let major: UInt8 = value < 0 ? 0x20 : 0
        switch argument {
        case ..<24: return [major | UInt8(argument)]
        case ..<0x100: return [major | 24] + bytes(argument, 1)
        case ..<0x1_0000: return [major | 25] + bytes(argument, 2)
        case ..<0x1_0000_0000: return [major | 26] + bytes(argument, 4)
        case ..<0x1_0000_0000_0000_0000: return [major | 27] + bytes(argument, 8)
        default: return [value < 0 ? 0xc3 : 0xc2, 0x49] + bytes(argument, 9)
        }
    }

    private func bytes(_ value: Int128, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    @Test func bordersOfAllWidthsReadAndWrite() throws {
        for value in Self.borders {
            let expected = encoding(of: value)
            #expect(CBOR.integer(value).encoded() == expected, "\(value)")
            let root = try CBORDocument(expected, options: .deterministic).root
            #expect(try root.bigInteger().integer(as: Int128.self) == value)
            guard expected[0] < 0xc0 else { continue }
            #expect(try root.integer(as: Int128.self) == value)
            #expect(root.value().integerValue == value)
            var writer = CBORWriter()
            writer.write(integer: value)
            #expect(writer.finish() == expected)
        }
    }

    @Test func everyTypeTakesWhatItHoldsAndNoMore() throws {
        for value in Self.borders where encoding(of: value)[0] < 0xc0 {
            let root = try CBORDocument(encoding(of: value)).root
            expect(root, value, as: Int8.self)
            expect(root, value, as: UInt8.self)
            expect(root, value, as: Int16.self)
            expect(root, value, as: UInt16.self)
            expect(root, value, as: Int32.self)
            expect(root, value, as: UInt32.self)
            expect(root, value, as: Int64.self)
            expect(root, value, as: UInt64.self)
            expect(root, value, as: Int.self)
            expect(root, value, as: Int128.self)
            expect(root, value, as: UInt128.self)
        }
    }

    private func expect<Integer: FixedWidthInteger>(_ root: CBORView, _ value: Int128, as type: Integer.Type) {
        if let exact = Integer(exactly: value) {
            #expect((try? root.integer(as: type)) == exact)
        } else {
            let error = #expect(throws: CBORError.self) { try root.integer(as: type) }
            #expect(error?.code == .outOfRange)
        }
    }

    @Test func longerFormsAreTheSameNumber() throws {
        for hex in ["05", "1805", "190005", "1a00000005", "1b0000000000000005"] {
            let bytes = try [UInt8](figure: hex)
            #expect(try CBOR(decoding: bytes) == 5)
            #expect(try FormedCBOR(decoding: bytes).value == 5)
            #expect(try FormedCBOR(decoding: bytes).encoded() == bytes)
            #expect(try FormedCBOR(decoding: bytes).value.encoded().hex == "05")
        }
    }

    @Test func integersAreNotNumbersOfOtherKinds() throws {
        #expect(CBOR(1) != CBOR.double(1))
        #expect(try CBOR(decoding: [0xf9, 0x3c, 0]).integerValue == nil)
        let error = #expect(throws: CBORError.self) { try CBORDocument([0xf9, 0x3c, 0]).root.integer(as: Int.self) }
        #expect(error?.code == .typeMismatch)
        #expect(try CBOR(decoding: [1]).doubleValue == nil)
    }
}
