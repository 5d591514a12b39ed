import CBORKit
import Testing

@Suite struct EmbeddedIndexTests {
    private static let indexing: CBORReadingOptions = {
        var options = CBORReadingOptions()
        options.requiresShortestArguments = true
        options.indexesEmbeddedItems = true
        return options
    }()

    private static func item(embedding content: [UInt8]) -> [UInt8] {
        var writer = CBORWriter()
        writer.beginArray(count: 2)
        writer.write(embedded: content)
        writer.write(unsigned: 7)
        return writer.finish()
    }

    private static let content: [UInt8] = [0xa1, 0x61, 0x61, 0x82, 0x01, 0x41, 0x02]

    @Test func indexedItemsReadAsOnesReadByThemselves() throws {
        let bytes = Self.item(embedding: Self.content)
        var plainOptions = Self.indexing
        plainOptions.indexesEmbeddedItems = false
        let indexed = try CBORDocument(bytes, options: Self.indexing)
        let plain = try CBORDocument(bytes, options: plainOptions)
        let first = try indexed.root.array().element(at: 0).embedded(options: Self.indexing)
        let second = try plain.root.array().element(at: 0).embedded(options: plainOptions)
        #expect(first.encodedBytes.elementsEqual(Self.content))
        #expect(first.trailingBytes.isEmpty)
        #expect(first.root.value() == second.root.value())
        let value = try first.root.map().required("a").array().element(at: 1)
        let other = try second.root.map().required("a").array().element(at: 1)
        #expect(value.path == other.path)
        #expect(value.offset == other.offset)
        #expect(value.encodedBytes == other.encodedBytes)
    }

    @Test func theOuterItemIsTheSame() throws {
        let bytes = Self.item(embedding: Self.content)
        let indexed = try CBORDocument(bytes, options: Self.indexing).root
        let plain = try CBORDocument(bytes).root
        #expect(indexed.value() == plain.value())
        #expect(indexed.encodedBytes == plain.encodedBytes)
        let elements = try indexed.array()
        #expect(elements.count == 2)
        #expect(Array(elements).count == 2)
        #expect(try elements.element(at: 1).integer(as: Int.self) == 7)
        #expect(try elements.element(at: 0).content(ofTag: 24).bytes().elementsEqual(Self.content))
    }

    @Test func otherOptionsReadAnew() throws {
        let bytes = Self.item(embedding: [0xa1, 0x01, 0x02])
        let view = try CBORDocument(bytes, options: Self.indexing).root.array().element(at: 0)
        var other = Self.indexing
        other.limits.depth = 0
        let error = #expect(throws: CBORError.self) { try view.embedded(options: other) }
        #expect(error?.code == .limitExceeded)
    }

    /// No item, two items, duplicate keys, a length that is not the shortest, a tail that is cut off.
    @Test(arguments: [[], [0x01, 0x02], [0xa2, 0x01, 0x02, 0x01, 0x03], [0x18, 0x01], [0x82, 0x01]] as [[UInt8]])
    func badContentIsRefusedWhereItIsAskedFor(_ content: [UInt8]) throws {
        let bytes = Self.item(embedding: content)
        let root = try CBORDocument(bytes, options: Self.indexing).root
        #expect(try root.array().element(at: 1).integer(as: Int.self) == 7)
        var plainOptions = Self.indexing
        plainOptions.indexesEmbeddedItems = false
        let found = #expect(throws: CBORError.self) {
            try root.array().element(at: 0).embedded(options: Self.indexing)
        }
        let expected = #expect(throws: CBORError.self) {
            try CBORDocument(bytes).root.array().element(at: 0).embedded(options: plainOptions)
        }
        #expect(found?.code == expected?.code)
        #expect(found?.path == expected?.path)
        #expect(found?.offset == expected?.offset)
    }

    @Test func nestingCountsAnewAndIsBounded() throws {
        var options = Self.indexing
        options.limits.depth = 3
        let deepest: [UInt8] = [0x81, 0x81, 0x81, 0x00]
        let view = try CBORDocument(Self.item(embedding: deepest), options: options).root.array().element(at: 0)
        #expect(try view.embedded(options: options).encodedBytes.elementsEqual(deepest))
        let tooDeep = try CBORDocument(Self.item(embedding: [0x81] + deepest), options: options).root
        let error = #expect(throws: CBORError.self) {
            try tooDeep.array().element(at: 0).embedded(options: options)
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test func whatIsEmbeddedInEmbeddedItemsIsReadOnDemand() throws {
        let bytes = Self.item(embedding: Self.item(embedding: Self.content))
        let outer = try CBORDocument(bytes, options: Self.indexing).root.array().element(at: 0)
        let inner = try outer.embedded(options: Self.indexing).root.array().element(at: 0)
        let innermost = try inner.embedded(options: Self.indexing)
        #expect(innermost.encodedBytes.elementsEqual(Self.content))
        let value = try innermost.root.map().required("a")
        let plain = try CBORDocument(bytes).root.array().element(at: 0).embedded().root.array().element(at: 0)
        #expect(value.path == (try plain.embedded().root.map().required("a").path))
    }
}
