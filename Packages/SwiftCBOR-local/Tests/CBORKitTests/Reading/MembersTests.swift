import CBORKit
import TestSupport
import Testing

@Suite struct MembersTests {
    private static let names = CBORMemberNames("signed", "validFrom", optional: "note")

    private func document(_ value: CBOR) throws -> CBORView {
        try CBORDocument(value.encoded()).root
    }

    @Test func membersAreFoundWhateverTheirOrder() throws {
        for value: CBOR in [
            ["signed": 1, "validFrom": 2, "note": 3], ["note": 3, "validFrom": 2, "other": 9, "signed": 1],
            [7: 8, "validFrom": 2, "signe": 9, "note": 3, "signed": 1, "signed!": 9],
        ] {
            let members = try document(value).members(Self.names)
            #expect(try members.required(0).integer(as: Int.self) == 1)
            #expect(try members.required(1).integer(as: Int.self) == 2)
            #expect(try members[2]?.integer(as: Int.self) == 3)
            #expect(members.head(1).kind == .unsigned)
            #expect(members.head(1).argument == 2)
            #expect(members.view.value() == value)
        }
    }

    @Test func anOptionalMemberMayBeMissing() throws {
        let members = try document(["signed": 1, "validFrom": 2]).members(Self.names)
        #expect(members[2] == nil)
        #expect(members[0] != nil)
    }

    @Test func aRequiredMemberMayNot() throws {
        let error = #expect(throws: CBORError.self) { try document(["signed": 1, "note": 2]).members(Self.names) }
        #expect(error?.code == .missingItem)
        #expect(error?.message.contains("validFrom") == true)
    }

    @Test func anotherItemThanAMapIsRefused() throws {
        for names in [Self.names, CBORMemberNames(optional: "note")] {
            let error = #expect(throws: CBORError.self) { try document([1, 2]).members(names) }
            #expect(error?.code == .typeMismatch)
        }
    }

    @Test func aMapWithoutPairsHasNoMembers() throws {
        let members = try document([:]).members(CBORMemberNames(optional: "a", "b"))
        #expect(members[0] == nil)
        #expect(members[1] == nil)
    }

    @Test func keysInChunksAreFound() throws {
        // {_ (_ "si", "gned"): 1, "validFrom": 2}
        let bytes = try #require([UInt8](hex: "bf" + "7f6273696467" + "6e6564ff01" + "6976616c696446726f6d02" + "ff"))
        let members = try CBORDocument(bytes).root.members(Self.names)
        #expect(try members.required(0).integer(as: Int.self) == 1)
    }

    @Test func ofEqualKeysTheFirstCounts() throws {
        var options = CBORReadingOptions()
        options.duplicateKeys = .allow
        let bytes = try #require([UInt8](hex: "a3" + "616101" + "61620361" + "6102"))
        let members = try CBORDocument(bytes, options: options).root.members(CBORMemberNames("a", "b"))
        #expect(try members.required(0).integer(as: Int.self) == 1)
    }

    @Test func eightNamesAreLookedForInOnePass() throws {
        let names = CBORMemberNames("a", "b", "c", "d", "e", "f", optional: "g", "h")
        let members = try document(["h": 8, "g": 7, "f": 6, "e": 5, "d": 4, "c": 3, "b": 2, "a": 1]).members(names)
        for index in 0..<CBORMemberNames.maximumCount {
            #expect(try members[index]?.integer(as: Int.self) == index + 1)
        }
    }

    @Test func aDocumentKnowsWhetherItsKeysAreUnique() throws {
        var options = CBORReadingOptions()
        options.duplicateKeys = .allow
        let bytes: [UInt8] = [0xa1, 0x01, 0x02]
        #expect(try CBORDocument(bytes).root.map().hasUniqueKeys)
        #expect(try !CBORDocument(bytes, options: options).root.map().hasUniqueKeys)
    }

    @Test func integerKeysAreKnownWithoutAView() throws {
        let map = try document([1: 2, -3: 4, "1": 5]).map()
        #expect(map.contains(1))
        #expect(map.contains(-3))
        #expect(!map.contains(3))
        #expect(!map.contains(-1))
    }

    @Test(arguments: ["a4 00 4101 01 5f 4102 4103 ff 02 03 07 40", "a4 00 4101 01 420203 02 6101 07 40"])
    func bytesOfIntegerKeysAreCompared(hex: String) throws {
        let map = try CBORDocument([UInt8](figure: hex)).root.map()
        let index = map.integerKeys()
        for (key, bytes) in [0: [1], 1: [2, 3], 2: nil, 3: nil, 7: [], -1: nil] as [Int: [UInt8]?] {
            var found: [[UInt8]] = []
            let isExpected: (Span<UInt8>) -> Bool = { content in
                found.append(content.withUnsafeBufferPointer { unsafe Array($0) })
                return found.last != [1]
            }
            #expect(map.hasBytes(forKey: key, isExpected) == (bytes != nil && bytes != [1]))
            #expect(index.hasBytes(forKey: key, isExpected) == (bytes != nil && bytes != [1]))
            #expect(found == (bytes.map { [$0, $0] } ?? []))
        }
    }

    @Test func numberedKeysAreFoundWhereverTheyStand() throws {
        let numbered = CBOR.map(CBORMap((0..<40).map { .init(key: .integer($0), value: .integer($0 * 3)) }))
        for value: CBOR in [
            numbered, [1: 3, 0: 0, 2: 6], [0: 0, 1: [1, 2, 3], 2: 6], [0: 0, 2: 6, 1: 3], [[]: 1, 0: 0, 2: 6],
            ["a": 1, 1: 3, 2: 6, 0: 0],
        ] {
            let map = try document(value).map()
            for key in -1...41 {
                #expect(map.value(forKey: key)?.value() == value[key], "\(value) \(key)")
            }
        }
        // {_ 0: 0, 1: 3}
        let indefinite = try CBORDocument([0xbf, 0x00, 0x00, 0x01, 0x03, 0xff]).root.map()
        #expect(try indefinite.value(forKey: 1)?.integer() == 3)
        #expect(indefinite.value(forKey: 2) == nil)
        // {1: 7, 1: 8}
        var options = CBORReadingOptions()
        options.duplicateKeys = .allow
        let repeated = try CBORDocument([0xa2, 0x01, 0x07, 0x01, 0x08], options: options).root.map()
        #expect(try repeated.value(forKey: 1)?.integer() == 7)
    }

    @Test func textIsComparedByItsBytes() throws {
        #expect(try document("e\u{301}").isText("e\u{301}"))
        #expect(try !document("e\u{301}").isText("\u{e9}"))
        #expect(try !document(1).isText("1"))
        #expect(try document("").isText(""))
        #expect(try CBORDocument(#require([UInt8](hex: "7f61616162ff"))).root.isText("ab"))
    }
}
