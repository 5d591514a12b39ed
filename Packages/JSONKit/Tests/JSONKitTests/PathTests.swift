import JSONKit
import Testing

@Suite struct PathTests {
    @Test(
        arguments: [
            ([], "$"), ([.name("a")], "$.a"), ([.name("aZ_09")], "$.aZ_09"), ([.name("_")], "$._"),
            ([.name("0a")], #"$["0a"]"#), ([.name("a-b")], #"$["a-b"]"#), ([.name("")], #"$[""]"#),
            ([.name("a\"b\\\n\u{1}")], #"$["a\"b\\\n\u0001"]"#), ([.name("né")], #"$["né"]"#),
            ([.name("a\u{202e}\u{85}")], #"$["a\u202e\u0085"]"#),
            ([.index(0), .index(12)], "$[0][12]"), ([.name("a"), .index(3), .name("b c")], #"$.a[3]["b c"]"#),
            ([.name("@`")], #"$["@`"]"#), ([.name("[{")], #"$["[{"]"#),
        ] as [([JSONPath.Component], String)]
    )
    func printsAsAQuery(components: [JSONPath.Component], text: String) {
        #expect(JSONPath(components).description == text)
    }

    @Test func errorsPrintTheirCause() {
        struct Cause: Error, CustomStringConvertible { let description = "because" }
        let error = JSONError(.invalidValue, "what", path: JSONPath([.name("a")]), cause: Cause())
        #expect(error.description == "invalidValue at $.a: what; because")
    }
}
