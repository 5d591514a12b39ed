import JSONKit
import OID4VPMessages
import SDJWTKit
import Testing

struct JSONPathQueryTests {
    private func values(_ path: String, _ root: JSONValue) throws -> [JSONValue] {
        try JSONPathQuery(path).nodes(in: root).map(\.value)
    }

    @Test func saysWhereTheValuesAre() throws {
        let root: JSONValue = ["a": [["b": 1], ["b": 2]], "b": 3]
        let nodes = try JSONPathQuery("$..b").nodes(in: root)
        #expect(nodes.map(\.path) == [["b"], ["a", 0, "b"], ["a", 1, "b"]])
        #expect(nodes.map(\.value) == [3, 1, 2])
    }

    @Test func selectsBySlicesAsRFC9535() throws {
        let root: JSONValue = [0, 1, 2, 3, 4]
        #expect(try values("$[1:4:2]", root) == [1, 3])
        #expect(try values("$[::-1]", root) == [4, 3, 2, 1, 0])
        #expect(try values("$[-2:]", root) == [3, 4])
        #expect(try values("$[3:1:-1]", root) == [3, 2])
        #expect(try values("$[::0]", root) == [])
        #expect(try values("$[ 0 , -1 , 'x' ]", root) == [0, 4])
        #expect(try values("$[-6]", root) == [])
        #expect(try values("$[9007199254740991:]", root) == [])
    }

    @Test func readsEscapedNames() throws {
        let root: JSONValue = ["it's": 1, "a\"b": 2, "\u{1d11e}": 3, "a\\/": 4, "\n": 5]
        #expect(try values("$['it\\'s']", root) == [1])
        #expect(try values("$[\"a\\\"b\"]", root) == [2])
        #expect(try values("$['\\ud834\\udd1e']", root) == [3])
        #expect(try values("$['a\\\\\\/']", root) == [4])
        #expect(try values("$['\\n']", root) == [5])
    }

    @Test(arguments: [
        "$.a b", "$['a", "$['\\q']", "$['\\u12']", "$['\\ud834']", "$[]", "$[1 2]", "$[--1]", "$[1:2:3:4]", "$a",
        "$[99999999999999999999]", "$[-9223372036854775808]", "$[:-9223372036854775808]", "$..", "$.['a']x",
    ])
    func refusesMalformedPath(_ text: String) {
        expect(.invalidPath) { () throws(OID4VPError) in try JSONPathQuery(text) }
    }

    @Test func boundsLengthAndWork() throws {
        expect(.limitExceeded) { () throws(OID4VPError) in try JSONPathQuery("$" + String(repeating: ".a", count: 512))
        }
        let wide = JSONValue.array(Array(repeating: .array(Array(repeating: 0, count: 100)), count: 100))
        #expect(try JSONPathQuery("$[*][*]").nodes(in: wide).count == 10_000)
        let again = try JSONPathQuery("$[*,*,*][*]")
        expect(.limitExceeded) { () throws(OID4VPError) in try again.nodes(in: wide) }
        let path = try JSONPathQuery("$..*")
        expect(.limitExceeded) { () throws(OID4VPError) in try path.nodes(in: wide, steps: 10_000) }
    }
}
