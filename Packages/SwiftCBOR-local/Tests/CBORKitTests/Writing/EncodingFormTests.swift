import CBORKit
import TestSupport
import Testing

/// The encodings of one value: preferred, deterministic, length-first, and with the forms that were read.
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

    @Test func manyLongKeysAreSorted() throws {
        let keys = (0..<200).map { CBOR.text("a key of many characters \($0 * 37 % 200)") } + [.bytes([1]), .text("b")]
        let map = CBOR.map(CBORMap(keys.map { .init(key: $0, value: ["y": [$0], "x": .map([:])]) }))
        for (form, options) in [
            (CBOREncodingOptions.deterministic, CBORReadingOptions.deterministic), (.lengthFirst, .lengthFirst),
        ] {
            let bytes = map.encoded(form)
            #expect(try CBOR(decoding: bytes, options: options) == map)
            #expect(try CBOR(decoding: bytes).encoded(form) == bytes)
        }
    }

    @Test func aKeyThatOccursTwiceKeepsItsOrder() {
        let map = CBOR.map(CBORMap([.init(key: 2, value: 0), .init(key: 1, value: 1), .init(key: 1, value: 2)]))
        #expect(map.encoded(.deterministic).hex == "a3010101020200")
    }

    @Test func bignumsAreReducedUnlessFormed() throws {
        for (hex, reduced) in [
            ("c24101", "01"), ("c240", "00"), ("c340", "20"), ("c348ffffffffffffffff", "3bffffffffffffffff"),
            ("c24a00010000000000000000", "c249010000000000000000"), ("c25f41014100ff", "190100"),
        ] {
            let bytes = try [UInt8](figure: hex)
            let formed = try FormedCBOR(decoding: bytes)
            #expect(formed.value.encoded(.deterministic).hex == reduced)
            #expect(formed.value.encoded().hex == reduced)
            #expect(formed.encoded() == bytes)
            #expect(CBORError.reading(bytes, .deterministic)?.code == .notDeterministic)
            #expect(CBORError.reading(try [UInt8](figure: reduced), .deterministic) == nil)
        }
    }

    @Test func everyFormIsWrittenAsRead() throws {
        for hex in [
            "1b0000000000000001", "3900ff", "5800", "5f40580201025900 00ff", "7f61617a00000001 62ff",
            "9b0000000000000000",
            "9f9f9800ffff", "bf1801bfffff", "b90001f7f7", "d90001d80100", "fb0000000000000000", "fa7fc00001", "5fff",
            "7fff",
        ] {
            let bytes = try [UInt8](figure: hex)
            let formed = try FormedCBOR(decoding: bytes)
            #expect(formed.encoded() == bytes)
            #expect(try FormedCBOR(decoding: bytes[...]).encoded() == bytes)
            let value = formed.value
            #expect(try CBOR(decoding: value.encoded()).encoded() == value.encoded())
            #expect(try CBOR(decoding: bytes).encoded() == value.encoded())
        }
    }

    @Test func formsAreBuilt() throws {
        let chunks: [CBORForm.Chunk] = [.init(count: 1), .init(count: 1, width: .two)]
        let value: CBOR = [
            .formed(.width(.eight), 1), .formed(.indefinite, ["a": .formed(.chunks(chunks), .bytes([1, 2]))]),
            .formed(.width(.one), .tagged(1, .double(1))),
        ]
        #expect(
            try FormedCBOR(building: value).encoded().hex == "831b0000000000000001bf61615f410159000102ffffd801f93c00"
        )
        #expect(value.encoded().hex == "8301a1616142010" + "2c1f93c00")
    }

    static let misfits: [(value: CBOR, path: String)] = [
        (CBOR.formed(.width(.one), .unsigned(256)), ""),
        (CBOR.array([.formed(.indefinite, .unsigned(1))]), "[0]"),
        (CBOR.map([.text("a"): .formed(.chunks([.init(count: 2)]), .bytes([1]))]), "a"),
        (CBOR.map([.negative(0): .formed(.chunks([.init(count: -1), .init(count: 2)]), .bytes([1]))]), "{-1}"),
        (CBOR.map([.formed(.indefinite, .text("a")): .null]), "{key 0}"),
        (CBOR.tagged(24, .formed(.chunks([.init(count: 1), .init(count: 1)]), .text("\u{e9}"))), "<24>"),
        (CBOR.formed(.width(.two), .double(1)), ""), (CBOR.formed(.width(.two), .null), ""),
        (CBOR.formed(.width(.eight), .formed(.indefinite, .array([]))), ""),
        (CBOR.formed(.chunks([.init(count: 256, width: .one)]), .bytes(Array(repeating: 0, count: 256))), ""),
        (CBOR.formed(.indefinite, .array([.formed(.chunks([]), .unsigned(1))])), "[0]"),
    ]

    @Test(arguments: misfits)
    func formsThatDoNotFitAreRefused(value: CBOR, path: String) throws {
        let error = #expect(throws: CBORError.self) { try FormedCBOR(building: value) }
        #expect(error?.code == .notEncodable)
        #expect(error?.path.description == path)
        #expect(CBORError.reading(value.encoded(), .deterministic) == nil)
    }
}
