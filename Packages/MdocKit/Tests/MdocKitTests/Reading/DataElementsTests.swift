import MdocKit
import Testing

/// Values by namespace and identifier, in small collections that compare and large ones that hash.
@Suite struct DataElementsTests {
    private func filled(_ nameSpaces: Int, _ elements: Int) -> DataElements<Int> {
        var filled = DataElements<Int>()
        for nameSpace in 0..<nameSpaces {
            for element in 0..<elements {
                filled[NameSpace("n\(nameSpace)"), DataElementIdentifier("e\(element)")] = nameSpace * 1000 + element
            }
        }
        return filled
    }

    @Test(arguments: [1, 16, 17, 40], [1, 16, 17, 40]) func everyElementIsFound(_ nameSpaces: Int, _ elements: Int) {
        let filled = filled(nameSpaces, elements)
        #expect(filled.count == nameSpaces * elements)
        #expect(filled.groups.map(\.nameSpace.text) == (0..<nameSpaces).map { "n\($0)" })
        for nameSpace in 0..<nameSpaces {
            let name = NameSpace("n\(nameSpace)")
            #expect(filled[name].map(\.value) == (0..<elements).map { nameSpace * 1000 + $0 })
            for element in 0..<elements {
                #expect(filled[name, DataElementIdentifier("e\(element)")] == nameSpace * 1000 + element)
            }
            #expect(filled[name, "another"] == nil)
        }
        #expect(filled["another"].isEmpty)
    }

    @Test(arguments: [3, 18]) func valuesAreReplacedAndRemoved(_ count: Int) {
        var changed = filled(count, count)
        for element in 0..<count { changed["n1", DataElementIdentifier("e\(element)")] = -element }
        #expect(changed["n1"].map(\.value) == (0..<count).map { -$0 })
        for element in (0..<count).dropFirst() { changed["n0", DataElementIdentifier("e\(element)")] = nil }
        #expect(changed["n0"].map(\.identifier) == ["e0"])
        changed["n0", "e0"] = nil
        #expect(changed.nameSpaces.first == "n1")
        #expect(changed.groups.count == count - 1)
        for nameSpace in 1..<count { #expect(changed[NameSpace("n\(nameSpace)"), "e2"] != nil) }
        changed["n0", "e9"] = 9
        #expect(changed.nameSpaces.last == "n0")
        #expect(changed["n0", "e9"] == 9)
        changed["another", "e"] = nil
        #expect(changed["another", "e"] == nil)
    }

    /// Canonically equivalent names are different names.
    @Test func namesAreComparedByTheirBytes() {
        var many = filled(20, 20)
        many["n1", "caf\u{e9}"] = 1
        many["n1", "cafe\u{301}"] = 2
        #expect(many["n1", "caf\u{e9}"] == 1)
        #expect(many["n1", "cafe\u{301}"] == 2)
    }
}
