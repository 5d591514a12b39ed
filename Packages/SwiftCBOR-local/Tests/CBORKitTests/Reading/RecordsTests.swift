import CBORKit
import TestSupport
import Testing

@Suite struct RecordsTests {
    private static let names = CBORMemberNames("name", optional: "note")

    private func array(_ contents: [[UInt8]], indexed: Bool = true) throws -> CBORArrayView {
        var options = CBORReadingOptions()
        options.indexesEmbeddedItems = indexed
        var writer = CBORWriter()
        writer.beginArray(count: contents.count)
        for content in contents { writer.write(embedded: content) }
        return try CBORDocument(writer.finish(), options: options).root.array()
    }

    private func records(_ values: [CBOR]) throws -> CBORRecords {
        try #require(try array(values.map { $0.encoded() }).embeddedRecords(Self.names))
    }

    @Test func everyRecordHasItsMembers() throws {
        let values: [CBOR] = [["name": "a", "note": 1], ["note": 2, "name": "b"], ["name": "c"]]
        let records = try records(values)
        #expect(records.count == 3)
        #expect(try records.map { try $0.required(0).text() } == ["a", "b", "c"])
        #expect(records.map { $0[1]?.value() } == [1, 2, nil])
        for (record, value) in zip(records, values) {
            let content = value.encoded()
            #expect(record.view.value() == value)
            // Tag 24 and a byte string of fewer than 24 bytes.
            #expect(record.embeddingBytes.map(Array.init) == [0xd8, 0x18, 0x40 + UInt8(content.count)] + content)
        }
    }

    @Test func aMapReadByItselfKnowsWhatItIsEmbeddedIn() throws {
        let content = CBOR.map(["name": "a"]).encoded()
        let element = try array([content], indexed: false).element(at: 0)
        let members = try element.embedded().root.members(Self.names)
        #expect(members.embeddingBytes == element.encodedBytes)
        let inner = try CBORDocument(CBOR.map(["name": ["name": "a"]]).encoded()).root.map().required("name")
        #expect(try inner.members(Self.names).embeddingBytes == nil)
    }

    @Test func whatWasNotIndexedGivesNone() throws {
        let content = CBOR.map(["name": "a"]).encoded()
        #expect(try array([content], indexed: false).embeddedRecords(Self.names) == nil)
        #expect(try array([content, [0xff]]).embeddedRecords(Self.names) == nil)
        #expect(try CBORDocument([0x81, 0x01]).root.array().embeddedRecords(Self.names) == nil)
    }

    @Test func anEmptyArrayGivesNoRecords() throws {
        #expect(try array([]).embeddedRecords(Self.names)?.isEmpty == true)
    }

    @Test func aRecordThatIsNoMapOrLacksAMemberIsRefused() throws {
        let good = CBOR.map(["name": "a"]).encoded()
        for (bad, code) in [([0x01], .typeMismatch), ([0xa0], .missingItem)] as [([UInt8], CBORError.Code)] {
            let array = try array([good, bad])
            let error = #expect(throws: CBORError.self) { try array.embeddedRecords(Self.names) }
            #expect(error?.code == code)
            #expect(error?.path.description.contains("1") == true)
        }
    }

    @Test func theFirstRecordThatFailsACheckIsFound() throws {
        let values: [CBOR] = [["name": "a"], ["name": 3], ["name": "a", "note": 1]]
        let records = try records(values)
        var seen: [[UInt8]] = []
        let failed = records.firstIndex(failing: { place, head, bytes in
            seen.append(bytes.withUnsafeBufferPointer { unsafe Array($0) })
            return head(0).kind == .textString && place < 2
        })
        #expect(failed == 1)
        #expect(seen == records.prefix(2).map { Array($0.embeddingBytes ?? []) })
        #expect(records.firstIndex(failing: { _, _, _ in true }) == nil)
    }

    @Test(arguments: [2, 3, 40, 64, 65, 200])
    func aTextThatOccursTwiceIsFound(count: Int) throws {
        var values: [CBOR] = (0..<count).map { ["name": .text("element_\($0)")] }
        #expect(try records(values).firstRepetition(ofMember: 0) == nil)
        for place in [1, count / 2, count - 1] where place > 0 {
            values = (0..<count).map { ["name": .text("element_\($0 == place ? 0 : $0)")] }
            #expect(try records(values).firstRepetition(ofMember: 0) == place)
        }
    }

    @Test func recordsAreFoundByAText() throws {
        let records = try records([["name": "a"], ["name": "bb", "note": "a"], ["name": "bb"]])
        #expect(records.firstIndex(of: "bb", asMember: 0) == 1)
        #expect(records.firstIndex(of: "a", asMember: 1) == 1)
        #expect(records.firstIndex(of: "b", asMember: 0) == nil)
    }

    @Test(arguments: [2, 5, 64, 65, 200]) func aTextThatRecursIsFound(count: Int) throws {
        let texts = (0..<count).map { "an identifier of some length \($0), the end of which is the same" }
        let distinct = try records(texts.map { ["name": .text($0)] })
        #expect(distinct.firstRepetition(ofMember: 0) == nil)
        let repeated = try records((texts + [texts[count / 2]]).map { ["name": .text($0)] })
        #expect(repeated.firstRepetition(ofMember: 0) == count)
    }

    @Test func shortTextsAreComparedWhole() throws {
        #expect(try records([["name": ""], ["name": "a"], ["name": "ab"]]).firstRepetition(ofMember: 0) == nil)
        #expect(try records([["name": ""], ["name": "a"], ["name": ""]]).firstRepetition(ofMember: 0) == 2)
    }

    @Test func textsInChunksAreComparedJoined() throws {
        let whole = try #require([UInt8](hex: "a1646e616d65626162"))
        let chunked = try #require([UInt8](hex: "a1646e616d657f61616162ff"))
        let records = try #require(try array([whole, chunked]).embeddedRecords(Self.names))
        #expect(records.firstRepetition(ofMember: 0) == 1)
        #expect(records.firstIndex(of: "ab", asMember: 0) == 0)
    }
}
