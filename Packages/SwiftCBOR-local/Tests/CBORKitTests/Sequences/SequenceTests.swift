import CBORKit
import TestSupport
import Testing

/// CBOR sequences (RFC 8742).
@Suite struct SequenceTests {
    @Test func readsItemsOneAfterTheOther() throws {
        var reader = CBORSequenceReader([0x01, 0x82, 0x02, 0x03, 0xa0])
        #expect(try reader.next()?.root.value() == 1)
        let second = try #require(try reader.next())
        #expect(second.root.value() == [2, 3])
        #expect(second.encodedBytes.hex == "820203")
        #expect(second.root.offset == 1)
        #expect(reader.rest.hex == "a0")
        #expect(try reader.next()?.root.value() == [:])
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }

    @Test func anEmptySequenceHasNoItems() throws {
        #expect(try CBORDocument.sequence([UInt8]()).isEmpty)
    }

    @Test func staysWhereItWasAfterAnError() throws {
        var reader = CBORSequenceReader([0x01, 0xff, 0x02])
        _ = try reader.next()
        for _ in 0..<2 {
            let error = #expect(throws: CBORError.self) { try reader.next() }
            #expect(error?.code == .unexpectedBreak)
            #expect(error?.offset == 1)
            #expect(reader.rest.hex == "ff02")
        }
    }

    @Test func slicesAreReadWhereTheyAre() throws {
        let bytes: [UInt8] = [0xff, 0xff, 0x01, 0x61, 0x61, 0xff]
        var reader = CBORSequenceReader(bytes[2..<5])
        #expect(try reader.next()?.root.value() == 1)
        #expect(try reader.next()?.root.text() == "a")
        #expect(try reader.next() == nil)
        #expect(try CBORDocument(bytes[3..<5]).root.encodedBytes == bytes[3..<5])
    }

    @Test func generatedSequencesKeepTheirItems() throws {
        var generator = CBORGenerator(seed: 8)
        for _ in 0..<100 {
            let items = (0..<generator.number(0...6)).map { _ in generator.encoding(of: generator.value(depth: 2)) }
            let documents = try CBORDocument.sequence(items.joined())
            #expect(documents.map { Array($0.encodedBytes) } == items)
        }
    }
}
