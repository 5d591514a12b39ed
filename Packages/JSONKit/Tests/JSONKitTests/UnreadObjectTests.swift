import Dispatch
import JSONKit
import Testing

/// Objects of a text become values when they are asked for; nothing of that may show.
@Suite struct UnreadObjectTests {
    static let texts = [
        #"{}"#,
        #"[]"#,
        #"[[],[[]],{}]"#,
        #"{"a":{"b":[1,{"c":[[2],[],{}]},"x"],"d":null},"e":[true,false,-1.50e+3]}"#,
        #" { "a" : { "b" : [ 1 , { "c" : [ [ 2 ] , [ ] , { } ] } , "x" ] , "d" : null } , "e" : [ true , 1 ] } "#,
        "{\r\n\t\"name\" :\t\"v\",\n    \"é\": \"ü\", \"long name of a member\": \"a text of more than thirty-two bytes, to be copied\"\n}",
        #"{"\u0061\/\n":"\u00e9\ud83d\ude00\u0022\u005c\u0007\/\b\f\r\t\"\\ \u20ac end","plain":"x"}"#,
        #"[{"a":"\""},{"a":"\u0000"},{"a\\":[{"b":"\/"}]}]"#,
    ]

    /// A value equal to one that was read, made of its parts.
    static func rebuilt(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(rebuilt))
        case .object(let object): .object(JSONObject(object.map { ($0.name, rebuilt($0.value)) }))
        default: value
        }
    }

    @Test(arguments: texts)
    func isWrittenLikeAnObjectMadeOfItsMembers(text: String) throws {
        let untouched = try JSONValue(parsing: text).encoded()
        let read = try JSONValue(parsing: text)
        let rebuilt = Self.rebuilt(read)
        #expect(String(decoding: untouched, as: UTF8.self) == rebuilt.text())
        #expect(read.text() == rebuilt.text())
        #expect(try JSONValue(parsing: text).text(.pretty) == rebuilt.text(.pretty))
        #expect(try JSONValue(parsing: text).canonicalized() == rebuilt.canonicalized())
        #expect(try JSONValue(parsing: text).description == rebuilt.description)
        #expect(try JSONValue(parsing: text) == rebuilt)
        #expect(try JSONValue(parsing: text).hashValue == rebuilt.hashValue)
    }

    @Test(arguments: texts)
    func partsOfADocumentAreIndependentOfIt(text: String) throws {
        let document = try JSONDocument("[1,2,3,\"\(String(repeating: "x", count: 1000))\",\(text)]")
        let part = try document.root.array().element(at: 4).value()
        #expect(try part == JSONValue(parsing: text))
        #expect(try part.encoded() == JSONValue(parsing: text).encoded())
    }

    @Test func changesLeaveCopiesAlone() throws {
        let original = try JSONValue(parsing: #"{"a":{"b":1,"c":2},"d":[{"e":3}]}"#)
        var object = try #require(original.objectValue)
        var inner = try #require(object["a"]?.objectValue)
        inner["b"] = nil
        inner["new"] = "x"
        object["a"] = .object(inner)
        #expect(JSONValue.object(object).text() == #"{"a":{"c":2,"new":"x"},"d":[{"e":3}]}"#)
        #expect(original.text() == #"{"a":{"b":1,"c":2},"d":[{"e":3}]}"#)
        #expect(object["d"]?[0]?["e"] == 3)
    }

    @Test func findsMembersOfLargeObjects() throws {
        let members = (0..<500).map { "\"name\($0)\":{\"value\":\($0)}" }
        var object = try #require(try JSONValue(parsing: "{\(members.joined(separator: ","))}").objectValue)
        #expect(object.count == 500)
        for index in 0..<500 { #expect(object["name\(index)"]?["value"] == .integer(index)) }
        #expect(object["name500"] == nil && object.position(of: "name77") == 77)
        object["name500"] = 1
        object["name3"] = nil
        #expect(object.count == 500 && object["name500"] == 1 && object.position(of: "name77") == 76)
    }

    /// The members of a small object are made with all that is inside it, those of a large one without.
    @Test(arguments: [1, 3, 100, 300])
    func threadsSeeTheSameMembers(count: Int) throws {
        let members = (0..<count).map { "\"name\($0)\":[{\"value\":\"\($0)\"}]" }
        let text = "{\(members.joined(separator: ","))}"
        for _ in 0..<50 {
            let value = try JSONValue(parsing: text)
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for index in 0..<count {
                    let position = (index + count / 4 * thread) % count
                    #expect(value["name\(position)"]?[0]?["value"] == .string("\(position)"))
                }
            }
        }
    }

    @Test func deepObjectsAreReleasedOnALittleStack() async throws {
        let depth = JSONValue.maximumDepth
        let text = String(repeating: #"{"a":"#, count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1)
        try await withStack(of: 512 << 10) {
            let value = try JSONValue(parsing: text, limits: .deep)
            _ = value.hashValue
            #expect(value.text(.compact.escapingInvisible) == text)
        }
    }

    /// Texts whose objects wait in each of the ways that there are: small, nested deeper than objects are made at once, large, and
    /// large within an array.
    static let kept = [
        #"{"a":{"b":[1,{"c":"d"}]},"e":{}}"#,
        String(repeating: #"{"a":"#, count: 60) + "[{}]" + String(repeating: "}", count: 60),
        "{\"a\":{\"b\":1},\"c\":[{\"d\":2}],\"e\":\"\(String(repeating: "x", count: 5000))\"}",
        "[{\"a\":{\"b\":1},\"e\":\"\(String(repeating: "x", count: 5000))\"}]",
    ]

    @Test(arguments: kept)
    func textIsFreedWithItsValues(text: String) throws {
        let bytes = KeptBytes(text)
        do {
            let value = try JSONValue(parsing: bytes.array)
            #expect(value == Self.rebuilt(value))
            #expect(value.text() == text)
        }
        #expect(bytes.areFree())
        do {
            let value = try JSONDocument(bytes.array).root.value()
            #expect(value == Self.rebuilt(value))
        }
        #expect(bytes.areFree())
        let value = try JSONValue(parsing: bytes.array)
        #expect(!bytes.areFree())
        #expect(value.text() == text)
    }

    @Test func partsOfASmallTextDoNotKeepIt() throws {
        let bytes = KeptBytes(Self.kept[0])
        let part = try JSONValue(parsing: bytes.array)["a"]
        #expect(bytes.areFree())
        #expect(part?.text() == #"{"b":[1,{"c":"d"}]}"#)
        let whole = try JSONDocument(bytes.array).root.value()
        #expect(bytes.areFree())
        #expect(whole.text() == Self.kept[0])
    }

    @Test func changedObjectsDoNotKeepTheirText() throws {
        let bytes = KeptBytes(Self.kept[0])
        var object = try #require(try JSONValue(parsing: bytes.array).objectValue)
        object["a"] = nil
        #expect(bytes.areFree())
        #expect(JSONValue.object(object).text() == #"{"e":{}}"#)
    }
}

/// Bytes that can tell whether something else keeps them.
private final class KeptBytes {
    private(set) var array: [UInt8]

    init(_ text: String) {
        array = Array(text.utf8)
    }

    /// Returns `true` if a change leaves the bytes where they are, as it does where no copy is needed.
    func areFree() -> Bool {
        let before = array.withUnsafeBufferPointer { $0.baseAddress }
        return array.withUnsafeMutableBufferPointer { UnsafePointer($0.baseAddress) } == before
    }
}
