import CommandSupport
import Testing

@testable import CredentialTool

@Suite struct OutlineTests {
    static let outline = Outline.fields([
        "kind": "thing",
        "absent": nil,
        "parts": .list([.fields(["a": .number(1), "b": .flag(true)]), .text("last")]),
        "none": .list([]),
        "long": .block("one\ntwo"),
        "text": .text("one\ntwo\\"),
        "theirs": .verbatim("one\ntwo\\"),
    ])

    @Test func printsForPeople() {
        #expect(
            Self.outline.lines == [
                "kind: thing", "parts:", "  - a: 1", "    b: yes", "  - last", "none: none", "long:", "  one", "  two",
                #"text: one\u{000A}two\"#, #"theirs: one\u{000A}two\\"#,
            ]
        )
    }

    @Test func printsForMachines() {
        let json =
            #"{"kind":"thing","parts":[{"a":1,"b":true},"last"],"none":[],"long":"one\ntwo","text":"one\ntwo\\","theirs":"one\ntwo\\"}"#
        #expect(Self.outline.json == json)
    }
}
