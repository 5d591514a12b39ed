import CBORKit
import TestSupport
import Testing

/// The encodings of one value: preferred, deterministic, length-first, dCBOR, and as read.
@Suite struct EncodingFormTests {
    /// The keys of the example in RFC 8949 section 4.2.1, not in order.
    private let map: CBOR = [
        "aa": 1, .array([100]): 2, false: 3, 10: 4, .array([-1]): 5, 100: 6, -1: 7, "z": 8,
    ]

    @Test func preferredKeepsTheOrderGiven() throws {
        #expect(map.encoded().hex == "a86261610181186402f4030a048120051864062007617a08")
        #expect(CBORError.reading(map.encoded(), .deterministic)?.code == .notDeterministic)
    }

    @Test func deterministicSortsByBytes() throws {
        let bytes = map.encoded(.deterministic)
        #expect(bytes.hex == "a80a041864062007617a086261610181186402812005f403")
        #expect(try CBOR(decoding: bytes, options: .deterministic) == map)
        #expect(CBORError.reading(bytes, .lengthFirst)?.code == .notDeterministic)
    }

    @Test func lengthFirstSortsByLengthThenBytes() throws {
        let bytes = map.encoded(.lengthFirst)
        #expect(bytes.hex == "a80a042007f403186406617a088120056261610181186402")
        #expect(try CBOR(decoding: bytes, options: .lengthFirst) == map)
        #expect(CBORError.reading(bytes, .deterministic)?.code == .notDeterministic)
    }

    @Test func mapsWithinAreSortedToo() throws {
        let value: CBOR = ["b": [["y": 1, "x": 2]], "a": .tagged(99, ["d": 1, "c": 2])]
        #expect(value.encoded(.deterministic).hex == "a26161d863a2616302616401616281a2617802617901")
        let keyed: CBOR = [.map(["b": 1, "a": 2]): 0]
        #expect(keyed.encoded(.deterministic).hex == "a1a261610261620100")
    }

    @Test func bignumsAreReducedUnlessAsRead() throws {
        for (hex, reduced) in [
            ("c24101", "01"), ("c240", "00"), ("c340", "20"), ("c348ffffffffffffffff", "3bffffffffffffffff"),
            ("c24a00010000000000000000", "c249010000000000000000"), ("c25f41014100ff", "190100"),
        ] {
            let bytes = try [UInt8](figure: hex)
            let value = try CBOR(decoding: bytes, keepingForm: true)
            #expect(value.encoded(.deterministic).hex == reduced)
            #expect(value.encoded().hex == reduced)
            #expect(value.encoded(.asRead) == bytes)
            #expect(CBORError.reading(bytes, .deterministic)?.code == .notDeterministic)
            #expect(CBORError.reading(try [UInt8](figure: reduced), .deterministic) == nil)
        }
    }

    @Test func asReadWritesEveryForm() throws {
        for hex in [
            "1b0000000000000001", "3900ff", "5800", "5f40580201025900 00ff", "7f61617a00000001 62ff",
            "9b0000000000000000",
            "9f9f9800ffff", "bf1801bfffff", "b90001f7f7", "d90001d80100", "fb0000000000000000", "fa7fc00001", "5fff",
            "7fff",
        ] {
            let bytes = try [UInt8](figure: hex)
            let value = try CBOR(decoding: bytes, keepingForm: true)
            #expect(value.encoded(.asRead) == bytes)
            #expect(try CBOR(decoding: value.encoded()).encoded() == value.encoded())
            #expect(try CBOR(decoding: bytes).encoded() == value.encoded())
        }
    }

    @Test func formsThatDoNotFitArePassedOver() {
        #expect(CBOR.formed(.width(.one), 256).encoded(.asRead).hex == "190100")
        #expect(CBOR.formed(.indefinite, 1).encoded(.asRead).hex == "01")
        #expect(CBOR.formed(.chunks([.init(count: 2)]), .bytes([1])).encoded(.asRead).hex == "4101")
        #expect(CBOR.formed(.chunks([.init(count: -1), .init(count: 2)]), .bytes([1])).encoded(.asRead).hex == "4101")
        #expect(CBOR.formed(.chunks([.init(count: 1), .init(count: 1)]), "é").encoded(.asRead).hex == "62c3a9")
        #expect(CBOR.formed(.width(.two), .double(1)).encoded(.asRead).hex == "f93c00")
        #expect(CBOR.formed(.width(.eight), 1).encoded().hex == "01")
    }

    @Test func dCBORReducesNumbers() throws {
        let value: CBOR = [12.0: [-0.0, 1e300, 2.5], "x": .tagged(1, 7.0)]
        #expect(try value.dCBOREncoded().hex == "a20c8300fb7e37e43c8800759cf941006178c107")
        #expect(try CBOR.double(.nan).dCBOREncoded().hex == "f97e00")
        #expect(try CBOR.float(CBORFloat(halfBitPattern: 0x7e01)).dCBOREncoded().hex == "f97e00")
    }

    @Test func dCBORRefusesWhatItDoesNotHave() throws {
        let simple = try #require(CBORSimpleValue(rawValue: 0))
        for value: CBOR in [.undefined, [.simple(simple)], "e\u{301}", ["e\u{301}": 1], .tagged(1, .undefined)] {
            let error = #expect(throws: CBORError.self) { try value.dCBOREncoded() }
            #expect(error?.code == .notEncodable)
        }
        let twice: CBOR = [1: "a", 1.0: "b"]
        let error = #expect(throws: CBORError.self) { try twice.dCBOREncoded() }
        #expect(error?.code == .duplicateKey)
        #expect(try CBOR("\u{e9}").dCBOREncoded().hex == "62c3a9")
    }
}
