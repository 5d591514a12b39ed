import CBORKit
import TestSupport
import Testing

/// Values that keep the bytes they were read from.
@Suite struct EncodedCBORTests {
    /// {"a": 1, 2: [3]} with redundant widths, an indefinite length and chunks: no encoder would write it.
    private let odd = "bf7f6161ff1801029f1b0000000000000003ffff"

    @Test func encodedKeepsTheBytesOfItsItem() throws {
        let bytes = try [UInt8](figure: "82" + odd + "f6")
        let item = try CBORDocument(bytes).root.array().element(at: 0)
        let encoded = try EncodedCBOR<CBOR>(cbor: item)
        #expect(encoded.value == ["a": 1, 2: [3]])
        #expect(encoded.encodedBytes.hex == odd)
        #expect(encoded.cborEncoded().hex == odd)
        var writer = CBORWriter()
        writer.beginArray(count: 2)
        writer.write(encoded)
        writer.writeNull()
        #expect(writer.finish() == bytes)
    }

    @Test func encodedOfOnesOwnIsEncodedOnce() throws {
        let encoded = EncodedCBOR<CBOR>(["b": 1, "a": 2])
        #expect(encoded.encodedBytes.hex == "a2616201616102")
        #expect(try EncodedCBOR<CBOR>(cbor: CBORDocument(encoded.cborEncoded()).root) == encoded)
    }

    @Test(arguments: ["d81854", "d8185814", "da000000185814", "d818590014"])
    func embeddedKeepsBothFormsOfItsBytes(head: String) throws {
        let item = try CBORDocument([UInt8](figure: "81" + head + odd)).root.array().element(at: 0)
        let embedded = try EmbeddedCBOR<CBOR>(cbor: item)
        #expect(embedded.value == ["a": 1, 2: [3]])
        #expect(embedded.taggedBytes.hex == head + odd)
        #expect(embedded.contentBytes.hex == odd)
        #expect(embedded.cborEncoded().hex == head + odd)
    }

    @Test func embeddedInChunksIsJoined() throws {
        let bytes = try [UInt8](figure: "d8185f4182420102ff")
        let embedded = try EmbeddedCBOR<CBOR>(cbor: CBORDocument(bytes).root)
        #expect(embedded.value == [1, 2])
        #expect(embedded.taggedBytes.hex == bytes.hex)
        #expect(embedded.contentBytes.hex == "820102")
    }

    @Test func embeddedOfOnesOwnIsPutUnderTheTag() throws {
        let embedded = EmbeddedCBOR<CBOR>([1, 2])
        #expect(embedded.taggedBytes.hex == "d81843820102")
        #expect(embedded.contentBytes.hex == "820102")
        #expect(CBOR.embedded([1, 2]).encoded() == embedded.cborEncoded())
    }

    @Test func embeddedRefusesWhatIsNotOneItem() throws {
        for (hex, code) in [
            ("4101", CBORError.Code.typeMismatch), ("c14101", .typeMismatch), ("d8186101", .typeMismatch),
            ("d81840", .truncated), ("d818420101", .trailingBytes), ("d818421901", .truncated),
            ("d81845a201f601f6", .duplicateKey), ("d8184161", .truncated),
        ] {
            let view = try CBORDocument([UInt8](figure: hex)).root
            let error = #expect(throws: CBORError.self, "\(hex)") { try EmbeddedCBOR<CBOR>(cbor: view) }
            #expect(error?.code == code, "\(hex)")
        }
        let view = try CBORDocument([UInt8](figure: "d818421801")).root
        #expect(throws: CBORError.self) { try EmbeddedCBOR<CBOR>(cbor: view, options: .deterministic) }
        #expect(try EmbeddedCBOR<CBOR>(cbor: view).value == 1)
    }

    @Test func everyItemGivesItsBytes() throws {
        var generator = CBORGenerator(seed: 11)
        for _ in 0..<300 {
            let bytes = generator.encoding(of: generator.value())
            let root = try CBORDocument(bytes).root
            #expect(root.encodedBytes.elementsEqual(bytes))
            try expectPartsMakeTheWhole(root)
        }
    }

    private func expectPartsMakeTheWhole(_ view: CBORView) throws {
        let parts: [CBORView]
        switch view.kind {
        case .array: parts = Array(try view.array())
        case .map: parts = try view.map().flatMap { [$0.key, $0.value] }
        case .tag: parts = [try view.content(ofTag: try #require(view.tag))]
        default: parts = []
        }
        let content = parts.flatMap { Array($0.encodedBytes) }
        let end = view.isIndefinite && !parts.isEmpty ? 1 : 0
        #expect(parts.isEmpty || view.encodedBytes.dropLast(end).suffix(content.count).elementsEqual(content))
        for part in parts { try expectPartsMakeTheWhole(part) }
    }
}
