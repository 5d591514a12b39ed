import Testing

@testable import IRMAMessages

/// The reader of descriptions: what it takes, and what it refuses before it acts on it.
@Suite struct DescriptionXMLTests {
    private func root(_ text: String, limits: DescriptionXMLReader.Limits = .init()) throws -> DescriptionXMLElement {
        try DescriptionXMLReader.root(of: Array(text.utf8), limits: limits)
    }

    @Test func readsElementsAttributesAndText() throws {
        let root = try root(
            "\u{feff}<?xml version='1.0'?><!-- c --><a x=\"1 &lt; 2\" y='&#x41;'> t<b/>&amp;<![CDATA[<&]]> </a>\n<!-- d -->"
        )
        #expect(root.attributes == ["x": "1 < 2", "y": "A"])
        #expect(root.trimmedText == "t&<&")
        #expect(root.children.map(\.name) == ["b"])
    }

    @Test(
        arguments: [
            "", "text", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a/>x", "x<a/>", "<a x=1/>", "<a x/>",
            "<a x=\"1\" x=\"2\"/>",
            "<a x=\"1\"y=\"2\"/>", "<a x=\"<\"/>", "<a x=\"1/>", "<a b", "<a>&unknown;</a>", "<a>&amp</a>",
            "<a>&#0;</a>",
            "<a>&#xD800;</a>", "<a>& </a>", "<a x=\"&e;\"/>", "<!-- c", "<a><![CDATA[x</a>", "<![CDATA[x]]>",
            "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY e \"x\">]><a>&e;</a>",
            "<!ENTITY e SYSTEM \"file:///etc/passwd\"><a/>",
            "<a><?php x ?></a>", "<?xml-stylesheet href='x'?><a/>", "<a><!DOCTYPE b></a>", "<a><!ELEMENT b></a>",
        ]
    )
    func refuses(text: String) {
        expectRefusal(.malformedDescription) { try root(text) }
    }

    @Test func refusesOtherEncodings() {
        expectRefusal(.malformedDescription) { try DescriptionXMLReader.root(of: Array("<a>".utf8) + [0xff]) }
        let utf16 = "<a/>".utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        expectRefusal(.malformedDescription) { try DescriptionXMLReader.root(of: utf16) }
    }

    @Test func limitsHold() throws {
        let limits = DescriptionXMLReader.Limits(size: 100, depth: 3, elements: 5)
        _ = try root("<a><b><c/></b></a>", limits: limits)
        _ = try root("<a><b><c></c></b></a>", limits: limits)
        expectRefusal(.limitExceeded) { try root("<a><b><c><d></d></c></b></a>", limits: limits) }
        _ = try root("<a><b/><b/><b/><b/></a>", limits: limits)
        expectRefusal(.limitExceeded) { try root("<a><b/><b/><b/><b/><b/></a>", limits: limits) }
        _ = try root("<a>" + String(repeating: "x", count: 93) + "</a>", limits: limits)
        expectRefusal(.limitExceeded) { try root("<a>" + String(repeating: "x", count: 94) + "</a>", limits: limits) }
    }

    /// Of a text that is repeated the last counts, as for the reference; of what holds others, none.
    @Test func repeatedElementsAreReadAsTextsAlone() throws {
        let root = try root("<a><b>1</b><b>2</b><c>x</c><d> </d><n><en>A</en></n><n><nl>B</nl></n></a>")
        #expect(root.optionalText("b") == "2")
        #expect(try root.number("b") == 2)
        #expect(try root.translated("n").texts == [ExactText("nl"): "B"])
        expectRefusal(.malformedDescription, at: "b") { try root.child("b") }
        expectRefusal(.malformedDescription, at: "c") { try root.number("c") }
        expectRefusal(.malformedDescription, at: "d") { try root.requiredText("d") }
        #expect(root.optionalText("e") == nil)
    }
}
