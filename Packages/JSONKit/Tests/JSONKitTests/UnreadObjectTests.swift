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
    @Test(arguments: [100, 300])
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
}
