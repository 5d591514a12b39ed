import CBORKit
import TestSupport
import Testing

/// Items that a strict reader refuses, read in one pass and noted.
@Suite struct NotedDeviationTests {
    private func document(_ hex: String, _ change: (inout CBORReadingOptions) -> Void = { _ in }) throws -> CBORDocument
    {
        var options = CBORReadingOptions()
        options.requiresShortestArguments = true
        options.requiresDefiniteLengths = true
        options.indexesEmbeddedItems = true
        options.notesDeviations = true
        change(&options)
        return try CBORDocument([UInt8](figure: hex), options: options)
    }

    @Test func nothingIsNotedOfTheStrictForm() throws {
        let document = try document("83 01 d818 42 8102 c2 49 01 0000000000000000")
        #expect(document.firstLongForm == nil)
        #expect(document.firstIndefiniteLength == nil)
    }

    /// The place of a note is that of the error of a strict reader.
    @Test(arguments: [
        "82 01 1817", "a1 61 61 9800", "9900 00", "82 00 5f 580100 ff", "d81700", "a1 1801 02",
    ])
    func longForms(_ hex: String) throws {
        let document = try document(hex)
        var strict = CBORReadingOptions()
        strict.requiresShortestArguments = true
        let error = try #require(CBORError.reading([UInt8](figure: hex), strict))
        let noted = try #require(document.firstLongForm)
        #expect(noted.path == error.path)
        #expect((document.firstIndefiniteLength == nil) == !hex.contains("5f"))
    }

    /// The note is about the tag.
    @Test(arguments: [("82 00 c24101", 2), ("c340", 0)]) func unneededBignums(_ hex: String, offset: Int) throws {
        #expect(try document(hex).firstLongForm?.offset == offset)
    }

    @Test(arguments: ["9f01ff", "82 01 bf6161 9fff ff", "82 00 5f 4100 ff", "a1 01 7f ff"])
    func indefiniteLengths(_ hex: String) throws {
        let document = try document(hex)
        var strict = CBORReadingOptions()
        strict.requiresDefiniteLengths = true
        let error = try #require(CBORError.reading([UInt8](figure: hex), strict))
        #expect(document.firstIndefiniteLength?.path == error.path)
        #expect(document.firstIndefiniteLength?.offset == error.offset)
        #expect(document.firstLongForm == nil)
    }

    @Test func theFirstOfEachIsNoted() throws {
        let document = try document("84 9fff 1801 9fff 1802")
        #expect(document.firstIndefiniteLength?.path == CBORPath([.index(0)]))
        #expect(document.firstLongForm?.path == CBORPath([.index(1)]))
    }

    /// An embedded item with deviations is a separate document with its own notes.
    @Test func embeddedItemsAreHeldToTheStrictForm() throws {
        let document = try document("82 d818 42 1801 d818 41 01")
        #expect(document.firstLongForm == nil)
        let elements = Array(try document.root.array())
        #expect(elements.map { $0.embeddedItem == nil } == [true, false])
        var options = CBORReadingOptions()
        options.requiresShortestArguments = true
        options.notesDeviations = true
        let embedded = try elements[0].embedded(options: options)
        #expect(embedded.firstLongForm?.path == CBORPath([.index(0), .tag(24), .embedded]))
        #expect(try elements[1].embedded(options: options).firstLongForm == nil)
    }

    /// Other faults are refused as always.
    @Test func otherFaultsAreRefused() {
        #expect(throws: CBORError.self) { try document("a2 01 00 1801 00") }
        #expect(throws: CBORError.self) { try document("82 1801") }
        #expect(throws: CBORError.self) { try document("c2 61 61") { $0.checksTagContent = true } }
    }

    @Test func contentOfAnUnneededBignumIsChecked() throws {
        let document = try document("c24101") { $0.checksTagContent = true }
        #expect(document.firstLongForm?.path.isEmpty == true)
    }
}

/// Look-ups of many integer keys.
@Suite struct IntegerKeysTests {
    private func keys(_ hex: String, _ options: CBORReadingOptions = .default) throws -> CBORIntegerKeys {
        try CBORDocument([UInt8](figure: hex), options: options).root.map().integerKeys()
    }

    @Test func everyIntegerKeyIsFound() throws {
        let keys = try keys("a5 05 01 20 02 6161 03 1b7fffffffffffffff 04 1bffffffffffffffff 05")
        #expect(keys.count == 3)
        #expect(keys.value(forKey: 5)?.value() == 1)
        #expect(keys.value(forKey: -1)?.value() == 2)
        #expect(keys.value(forKey: .max)?.value() == 4)
        #expect(keys.value(forKey: 0) == nil)
    }

    @Test func smallKeysAreFoundInAnyOrder() throws {
        let keys = try keys("a5 02 20 00 21 6161 22 05 23 01 24")
        #expect(keys.count == 4)
        #expect([2, 0, 5, 1].map { keys.value(forKey: $0)?.value() } == [-1, -2, -4, -5])
        #expect([3, 4, 6, 7, 8, -1, .min, .max].allSatisfy { keys.value(forKey: $0) == nil })
    }

    @Test(arguments: ["a2 01 02 1801 03", "a3 01 02 1801 03 19ffff 04"])
    func theFirstOfEqualKeysCounts(_ hex: String) throws {
        var options = CBORReadingOptions()
        options.duplicateKeys = .allow
        #expect(try keys(hex, options).value(forKey: 1)?.value() == 2)
    }

    @Test func anIndefiniteMapToo() throws {
        #expect(try keys("bf 05 9f01ff 06 07 ff").value(forKey: 6)?.value() == 7)
        #expect(try keys("bfff").count == 0)
    }
}
