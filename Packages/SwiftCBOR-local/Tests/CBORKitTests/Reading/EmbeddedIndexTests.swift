import CBORKit
import TestSupport
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
    @Test func whatIsIndexedCountsTowardsTheItems() throws {
        // The array, the tag, its byte string and the number are four; what is embedded has five.
        let bytes = Self.item(embedding: Self.content)
        var options = Self.indexing
        options.limits.items = 8
        let error = #expect(throws: CBORError.self) { try CBORDocument(bytes, options: options) }
        #expect(error?.code == .limitExceeded)
        options.limits.items = 9
        #expect(try CBORDocument(bytes, options: options).root.array().count == 2)
        // If it does not fit by itself, there is still room for the rest.
        options.limits.items = 4
        let view = try CBORDocument(bytes, options: options).root.array().element(at: 0)
        let refusal = #expect(throws: CBORError.self) { try view.embedded(options: options) }
        #expect(refusal?.code == .limitExceeded)
    }

    @Test func embeddedItemsMayBeKeys() throws {
        var writer = CBORWriter()
        writer.beginMap(count: 2)
        for content in [Self.content, Array(Self.content.dropLast() + [0x03])] {
            writer.write(embedded: content)
            writer.write(unsigned: 1)
        }
        let bytes = writer.finish()
        let indexed = try CBORDocument(bytes, options: Self.indexing).root
        #expect(indexed.value() == (try CBORDocument(bytes).root.value()))
        #expect(try indexed.map().count == 2)
        let twice = [0xa2] + bytes[1..<(bytes.count / 2 + 1)] + bytes[1..<(bytes.count / 2 + 1)]
        let error = #expect(throws: CBORError.self) { try CBORDocument(twice, options: Self.indexing) }
        #expect(error?.code == .duplicateKey)
    }

    /// Every reading of damaged input comes to the same as one without the index: values, places and refusals.
    @Test func damagedInputReadsAsWithoutTheIndex() throws {
        var writer = CBORWriter()
        writer.beginMap(count: 2)
        writer.write("items")
        writer.beginArray(count: 3)
        for content in [Self.content, Self.item(embedding: [0x01]), [0xa2, 0x01, 0x81, 0x02, 0x03, 0x04]] {
            writer.write(embedded: content)
        }
        writer.write("other")
        writer.write(embedded: Self.content)
        let bytes = writer.finish()
        var plainOptions = Self.indexing
        plainOptions.indexesEmbeddedItems = false
        var mutator = Mutator(seed: 24)
        var read = 0
        for _ in 0..<3000 {
            let damaged = mutator.mutate(bytes)
            let found = Self.findings(in: damaged, Self.indexing)
            try #require(found == Self.findings(in: damaged, plainOptions), "\(damaged.hex)")
            if found.count > 1 { read += 1 }
        }
        #expect(read > 0)
    }

    /// The findings of reading about a document and each embedded item, level by level.
    private static func findings(in bytes: [UInt8], _ options: CBORReadingOptions) -> [String] {
        var findings: [String] = []
        var open: [CBORView] = []
        func note(_ read: () throws(CBORError) -> CBORDocument) {
            do throws(CBORError) {
                let document = try read()
                open.append(document.root)
                findings.append("\(document.root.value()) \(document.encodedBytes) \(document.trailingBytes)")
            } catch {
                findings.append("\(error)")
            }
        }
        note { () throws(CBORError) in try CBORDocument(bytes, options: options) }
        while let view = open.popLast() {
            findings.append("\(view.path) \(view.offset)")
            if view.tag == 24 {
                note { () throws(CBORError) in try view.embedded(options: options) }
            } else if let map = try? view.map() {
                for (key, value) in map { open += [key, value] }
            } else if let array = try? view.array() {
                open += array
            }
        }
        return findings
    }
}
