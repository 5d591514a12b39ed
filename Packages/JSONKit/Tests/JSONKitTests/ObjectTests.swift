import JSONKit
import Testing

@Suite struct ObjectTests {
    @Test(arguments: [0, 1, 5, 31, 32, 33, 34, 500])
    func staysRightWhileItIsEdited(count: Int) throws {
        var object = JSONObject()
        for index in 0..<count { object["name \(index)"] = .integer(index) }
        #expect(object.count == count)
        #expect(object.names == (0..<count).map { "name \($0)" })
        for index in 0..<count { #expect(object["name \(index)"] == .integer(index)) }
        for index in stride(from: 0, to: count, by: 2) { object["name \(index)"] = "even" }
        for index in stride(from: 1, to: count, by: 2) {
            #expect(object.removeValue(forName: "name \(index)") == .integer(index))
        }
        #expect(object.removeValue(forName: "name 1") == nil)
        #expect(object.names == stride(from: 0, to: count, by: 2).map { "name \($0)" })
        #expect(object.allSatisfy { $0.value == "even" && object[$0.name] == "even" && object.contains($0.name) })
        #expect(!object.contains("name 1"))
        object["last"] = nil
        #expect(!object.contains("last"))
        let copy = try JSONValue(parsing: JSONValue.object(object).encoded())
        #expect(copy == .object(object))
    }

    @Test func tellsNamesApartByTheirBytes() {
        var object: JSONObject = ["\u{e9}": 1]
        object["e\u{301}"] = 2
        #expect(object.count == 2)
        #expect(object["\u{e9}"] == 1)
        #expect(object["e\u{301}"] == 2)
    }

    @Test func ofANameThatOccursTwiceTheLastCounts() {
        let object: JSONObject = ["a": 1, "b": 2, "a": 3]
        #expect(object.names == ["a", "b"])
        #expect(object["a"] == 3)
        #expect(JSONObject([(name: "x", value: 1), (name: "x", value: 2)])["x"] == 2)
    }

    @Test func equalityAndHashDoNotDependOnTheOrder() {
        let members = (0..<100).map { ("\($0)", JSONValue.integer($0)) }
        let forward = JSONObject(members.map { ($0, $1) })
        let backward = JSONObject(members.reversed().map { ($0, $1) })
        #expect(forward == backward)
        #expect(forward.hashValue == backward.hashValue)
        var other = backward
        other["50"] = 51
        #expect(forward != other)
        other["50"] = nil
        #expect(forward != other)
    }

    @Test func membersThatAreKnownToBeDistinct() {
        for count in [0, 1, 40] {
            let members = (0..<count).map { JSONObject.Entry(name: "\($0)", value: .integer($0)) }
            let object = JSONObject(distinct: members)
            #expect(object == JSONObject(members.map { ($0.name, $0.value) }))
            #expect(object.names == members.map(\.name))
            #expect(count == 0 || object["\(count - 1)"] == .integer(count - 1))
        }
    }

    @Test func isACollectionOfMembers() throws {
        let object: JSONObject = ["a": 1, "b": [2]]
        #expect(object[1].name == "b")
        #expect(object.first?.value == 1)
        #expect(object.map(\.name) == ["a", "b"])
        let view = try JSONDocument(#"{"a":1,"b":[2]}"#).root.object()
        #expect(try view.value() == object)
    }
}
