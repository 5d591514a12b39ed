import JSONKit
import Testing

@Suite struct RoundTripTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func whatIsWrittenReadsBack(seed: UInt64) throws {
        var generator = JSONGenerator(seed: seed)
        for _ in 0..<100 {
            let value = generator.value()
            let compact = value.encoded()
            #expect(try JSONValue(parsing: compact) == value)
            #expect(try JSONValue(parsing: compact).encoded() == compact)
            #expect(try JSONValue(parsing: value.encoded(.pretty)).encoded() == compact)
            #expect(try JSONValue(parsing: generator.text(of: value)).encoded() == compact)
        }
    }

    @Test(arguments: 11...14 as ClosedRange<UInt64>)
    func canonicalFormsAreStable(seed: UInt64) throws {
        var generator = JSONGenerator(seed: seed)
        for _ in 0..<100 {
            let value = generator.value()
            let canonical = try value.canonicalized()
            #expect(try JSONValue(parsing: canonical).canonicalized() == canonical)
            #expect(try JSONValue(parsing: generator.text(of: value)).canonicalized() == canonical)
        }
    }

    @Test(arguments: 21...24 as ClosedRange<UInt64>)
    func codersKeepValues(seed: UInt64) throws {
        var generator = JSONGenerator(seed: seed)
        for _ in 0..<100 {
            let values = [["x": generator.value()]]
            let bytes = try StrictJSONEncoder().encode(values)
            #expect(try StrictJSONDecoder().decode([[String: JSONValue]].self, from: bytes) == values)
        }
    }

    @Test(arguments: 31...34 as ClosedRange<UInt64>)
    func viewsSayWhatValuesSay(seed: UInt64) throws {
        var generator = JSONGenerator(seed: seed)
        for _ in 0..<50 {
            let value = generator.value()
            let document = try JSONDocument(generator.text(of: value))
            try compare(document.root, value)
        }
    }

    private func compare(_ view: JSONView, _ value: JSONValue) throws {
        #expect(view.kind == value.kind)
        #expect(try view.value() == value)
        #expect(try JSONValue(parsing: view.bytes) == value)
        switch value {
        case .null: #expect(view.isNull)
        case .bool(let expected): #expect(try view.bool() == expected)
        case .number(let expected): #expect(try view.number() == expected)
        case .string(let expected):
            #expect(try view.string() == expected)
            #expect(try view.stringBytes().elementsEqual(expected.utf8))
        case .array(let elements):
            #expect(try view.array().count == elements.count)
            for (index, (element, expected)) in zip(try view.array(), elements).enumerated() {
                #expect(element.path.components.count == view.path.components.count + 1)
                #expect(try view.array()[index]?.offset == element.offset)
                try compare(element, expected)
            }
        case .object(let object):
            #expect(try view.object().names == object.names)
            for (member, expected) in zip(try view.object(), object) {
                #expect(view[member.name]?.offset == member.value.offset)
                try compare(member.value, expected.value)
            }
        }
    }
}
