import JSONKit
import LinkedDataKit
import Testing

/// Documents that we and PyLD canonicalize.
///
/// PyLD writes control characters other than line breaks as URDNA2015 did, where RDFC-1.0 escapes them; the generated
/// documents have none, and one document shows the difference. It also counts a quad twice for a blank node that occurs
/// in it twice, where RDFC-1.0, section 4.4.3, step 2, takes each node of a quad once; those documents are listed.
@Suite(.enabled(PythonPeers.absence) { await PythonPeers.shared.areAvailable })
struct PyLDTests {
    @Test func canonicalizesGeneratedDocumentsAlike() async throws {
        var generator = GeneratedDocument(seed: 18)
        let documents = (0..<200).map { _ in generator.next() }
        let tasks = documents.map { JSONValue.object(["operation": "canonize", "document": $0]) }
        let answers = try await PythonPeers.shared.run(tasks)
        let processor = JSONLDProcessor()
        var (quads, differences) = (0, 0)
        for (index, document) in documents.enumerated() {
            let options = JSONLDOptions(safeMode: nil)
            let ours = String(
                decoding: try processor.toRDF(document, options: options).canonicalNQuads(),
                as: UTF8.self
            )
            let theirs = answers[index].text
            quads += ours.utf8.count { $0 == UInt8(ascii: "\n") }
            guard ours != theirs else { continue }
            differences += 1
            guard !Self.namesANodeTwice(ours) else {
                print("peers: PyLD: document \(index) differs: a blank node occurs twice in a quad")
                continue
            }
            Issue.record("document \(index): \(document.text())\n\(ours)\n\(theirs ?? answers[index].error ?? "")")
        }
        #expect(differences < 10)
        print("peers: PyLD: \(documents.count) generated documents, \(quads) quads, \(differences) differences")
    }

    /// Returns `true` for N-Quads with one blank node as subject and object of a quad.
    private static func namesANodeTwice(_ nQuads: String) -> Bool {
        nQuads.split(separator: "\n").contains { line in
            let terms = line.split(separator: " ")
            return terms.count > 3 && terms[0].hasPrefix("_:") && (terms[0] == terms[2] || terms[2] == terms[3])
        }
    }

    @Test func escapesControlCharactersThatPyLDLeavesAsTheyAre() async throws {
        let document: JSONValue = ["@id": "urn:a", "https://schema.org/name": "\u{1}\u{7f}"]
        let answer = try await PythonPeers.shared.run([["operation": "canonize", "document": document]])[0]
        let ours = try JSONLDProcessor().toRDF(document).canonicalNQuads()
        #expect(String(decoding: ours, as: UTF8.self) == "<urn:a> <https://schema.org/name> \"\\u0001\\u007F\" .\n")
        #expect(answer.text == "<urn:a> <https://schema.org/name> \"\u{1}\u{7f}\" .\n")
    }
}
