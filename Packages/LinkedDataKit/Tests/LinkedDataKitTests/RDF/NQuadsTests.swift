import LinkedDataKit
import Testing

struct NQuadsTests {
    private func dataset(_ text: String) throws -> RDFDataset { try RDFDataset(parsing: text.utf8) }

    @Test(arguments: [1, 31, 32, 33, 64])
    func keepsEachQuadOnce(count: Int) throws {
        let lines = (0..<count).map { "_:n\($0) <urn:number> \"\($0)\" .\n" }
        let dataset = try RDFDataset(parsing: Array((lines + lines.reversed()).joined().utf8))
        #expect(dataset.nQuads() == Array(lines.joined().utf8))
    }

    @Test func readsEveryKindOfTerm() throws {
        let text = """
            # A comment.
            <urn:s> <urn:p> <urn:o> .
            _:a\t<urn:p> "text"@en-GB _:g . # Another one.

              <urn:s><urn:p>"1"^^<http://www.w3.org/2001/XMLSchema#integer><urn:g>.\r
            _:a.b <urn:p> "plain"^^<http://www.w3.org/2001/XMLSchema#string> .
            """
        let quads = try dataset(text).quads
        #expect(quads.count == 4)
        #expect(quads[0] == RDFQuad(subject: .iri("urn:s"), predicate: .iri("urn:p"), object: .iri("urn:o")))
        #expect(quads[1].object == .literal(RDFLiteral("text", language: "en-GB")))
        #expect(quads[1].graph == .blankNode("g"))
        #expect(
            quads[2].object == .literal(RDFLiteral("1", datatype: "http://www.w3.org/2001/XMLSchema#integer"))
        )
        #expect(quads[3].subject == .blankNode("a.b"))
        #expect(quads[3].object == .literal(RDFLiteral("plain")))
    }

    @Test func writesTheEscapesOfTheCanonicalForm() throws {
        let controls: [Unicode.Scalar] =
            (0...0x1f).map { Unicode.Scalar(UInt8($0)) } + [
                "\"", "\\", "\u{7f}", "é", "\u{fffe}", "\u{ffff}", "\u{10ffff}",
            ]
        let text = controls.reduce(into: "") { $0.unicodeScalars.append($1) }
        var dataset = RDFDataset()
        let literal = RDFTerm.literal(RDFLiteral(ExactText(text)))
        try dataset.insert(RDFQuad(subject: .iri("urn:s"), predicate: .iri("urn:p"), object: literal))
        let written =
            #"\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000B\f\r\u000E\u000F"#
            + #"\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001A\u001B\u001C\u001D\u001E\u001F"#
            + #"\"\\\u007Fé\uFFFE\uFFFF"# + "\u{10ffff}"
        let line = "<urn:s> <urn:p> \"\(written)\" .\n"
        #expect(dataset.nQuads() == Array(line.utf8))
        #expect(try dataset.canonicalNQuads() == Array(line.utf8))
        #expect(try RDFDataset(parsing: dataset.nQuads()).quads == dataset.quads)
        #expect(dataset.quads[0].object == literal)
    }

    @Test func readsEveryEscape() throws {
        let quads = try dataset(#"<urn:\u00e9> <urn:p> "\t\b\n\r\f\"\'\\\u00E9\U0001F600" ."#).quads
        #expect(quads[0].subject == .iri("urn:é"))
        #expect(quads[0].object == .literal(RDFLiteral("\t\u{8}\n\r\u{c}\"'\\é😀")))
    }

    @Test func keepsTermsApartThatAreOnlyCanonicallyEquivalent() throws {
        let two = try dataset("<urn:s> <urn:p> \"\u{e9}\" .\n<urn:s> <urn:p> \"e\u{301}\" .\n")
        #expect(two.count == 2)
    }

    @Test func isASet() throws {
        #expect(try dataset("<urn:s> <urn:p> \"a\" .\n<urn:s> <urn:p> \"\\u0061\" .\n").count == 1)
    }

    @Test(arguments: [
        "<urn:s> <urn:p> <urn:o>", "<urn:s> <urn:p> .", "<urn:s> <urn:p> <urn:o> . <urn:s>", "\"s\" <urn:p> <urn:o> .",
        "<urn:s> _:p <urn:o> .", "<urn:s> \"p\" <urn:o> .", "<urn:s> <urn:p> <urn:o> \"g\" .", "<urn:s> <urn:p> \"o .",
        "<urn:s> <urn:p> \"a\nb\" .", #"<urn:s> <urn:p> "\x" ."#, #"<urn:s> <urn:p> "\u12" ."#,
        #"<urn:s> <urn:p> "\uD800" ."#, #"<urn:s> <urn:p> "\U00110000" ."#, #"<urn:\n> <urn:p> "o" ."#,
        "<urn:s> <urn:p> \"o\"@ .", "<urn:s> <urn:p> \"o\"@1a .", "_: <urn:p> \"o\" .", "_:a:b <urn:p> \"o\" .",
        "_::a <urn:p> \"o\" .", "_:-a <urn:p> \"o\" .",
        "<urn:s",
        "<urn:s> <urn:p> \"o\"^<urn:d> .",
    ])
    func refusesMalformedText(_ text: String) {
        #expect(code { try dataset(text) } == .invalidNQuads)
    }

    @Test(arguments: [
        "<s> <urn:p> <urn:o> .", "<urn:a b> <urn:p> <urn:o> .", "<urn:s> <urn:p> \"o\"^^<d> .", "<> <urn:p> <urn:o> .",
        #"<urn:s\u0020> <urn:p> <urn:o> ."#,
    ])
    func refusesMalformedIRIs(_ text: String) {
        #expect(code { try dataset(text) } == .invalidIRI)
    }

    @Test func refusesTextThatIsNotUTF8() {
        #expect(code { try RDFDataset(parsing: [0x22, 0xff]) } == .invalidNQuads)
    }

    @Test func keepsToItsLimits() throws {
        let text = Array("<urn:s> <urn:p> \"1\" .\n<urn:s> <urn:p> \"2\" .\n".utf8)
        #expect(try RDFDataset(parsing: text, limits: NQuadsLimits(size: text.count, quads: 2)).count == 2)
        #expect(code { try RDFDataset(parsing: text, limits: NQuadsLimits(size: text.count - 1)) } == .limitExceeded)
        #expect(code { try RDFDataset(parsing: text, limits: NQuadsLimits(quads: 1)) } == .limitExceeded)
    }

    @Test func refusesTermsAtTheWrongPlace() {
        let literal = RDFTerm.literal(RDFLiteral("o"))
        let quads: [(RDFQuad, LinkedDataError.Code)] = [
            (RDFQuad(subject: literal, predicate: .iri("urn:p"), object: literal), .invalidTerm),
            (RDFQuad(subject: .iri("urn:s"), predicate: .blankNode("p"), object: literal), .invalidTerm),
            (RDFQuad(subject: .iri("urn:s"), predicate: .iri("urn:p"), object: literal, graph: literal), .invalidTerm),
            (RDFQuad(subject: .blankNode("a b"), predicate: .iri("urn:p"), object: literal), .invalidTerm),
            (RDFQuad(subject: .iri("s"), predicate: .iri("urn:p"), object: literal), .invalidIRI),
            (
                RDFQuad(
                    subject: .iri("urn:s"),
                    predicate: .iri("urn:p"),
                    object: .literal(RDFLiteral("o", language: ""))
                ),
                .invalidTerm
            ),
        ]
        for (quad, expected) in quads {
            var dataset = RDFDataset()
            #expect(code { try dataset.insert(quad) } == expected)
            #expect(dataset.count == 0)
        }
    }
}
