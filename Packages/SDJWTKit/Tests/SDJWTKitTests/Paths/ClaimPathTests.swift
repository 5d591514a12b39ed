import JSONKit
import SDJWTKit
import Testing

@Suite struct ClaimPathTests {
    private let credential: JSONValue = [
        "name": "Arthur Dent",
        "address": ["street_address": "42 Market Street", "city": "Milliways"],
        "degrees": [["type": "Bachelor", "year": 2000], ["type": "Master"], ["year": 2005]],
        "nationalities": ["British", "Betelgeusian"],
    ]

    @Test func selectsMembersElementsAndAllElements() throws {
        #expect(try ClaimPath(["name"]).values(in: credential) == ["Arthur Dent"])
        #expect(try ClaimPath(["address", "city"]).values(in: credential) == ["Milliways"])
        #expect(try ClaimPath(["degrees", nil, "type"]).values(in: credential) == ["Bachelor", "Master"])
        #expect(try ClaimPath(["degrees", 1]).values(in: credential) == [["type": "Master"]])
        #expect(try ClaimPath(["nationalities", nil]).values(in: credential) == ["British", "Betelgeusian"])
        #expect(try ClaimPath([]).values(in: credential) == [credential])
    }

    @Test func selectsNothingWhereNothingIs() throws {
        #expect(try ClaimPath(["nobody"]).values(in: credential).isEmpty)
        #expect(try ClaimPath(["degrees", 3]).values(in: credential).isEmpty)
        #expect(try ClaimPath(["degrees", -1]).values(in: credential).isEmpty)
        #expect(try ClaimPath(["nobody", "deep", nil]).values(in: credential).isEmpty)
    }

    @Test(
        arguments: [
            ["name", "first"], ["nationalities", "first"], ["address", 0], ["address", nil], ["name", nil],
        ] as [ClaimPath]
    )
    func refusesStepsThatDoNotFitTheValue(path: ClaimPath) {
        expectRefusal(.claimPathMismatch) { try path.values(in: credential) }
    }

    @Test func isReadFromAndWrittenAsJSON() throws {
        let value: JSONValue = ["degrees", nil, 2, "type"]
        let path = try ClaimPath(json: value)
        #expect(path == ["degrees", nil, 2, "type"])
        #expect(path.json == value)
        #expect(path.description == #"["degrees",null,2,"type"]"#)
        #expect(try ClaimPath(json: ["a", .number(JSONNumber(text: "1.0"))]) == ["a", 1])
    }

    @Test func refusesOtherJSON() throws {
        for value: JSONValue in [
            [], "name", ["a", true], ["a", -1], [["a"]], ["a", .number(try JSONNumber(text: "1.5"))],
        ] {
            expectRefusal(.invalidClaimPath) { try ClaimPath(json: value) }
        }
    }

    @Test func namesAreComparedByBytes() {
        let (composed, decomposed): (ClaimPath, ClaimPath) = (["\u{e9}"], ["e\u{301}"])
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, ["\u{e9}"]]).count == 2)
    }
}
