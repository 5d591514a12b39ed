import JSONKit
import LinkedDataKit
import TestSupport
import Testing

/// The tests of conversion to RDF of the JSON-LD API.
@Suite(.enabled(if: VectorSet("json-ld").isAvailable, VectorSet.absence))
struct ToRDFVectorTests {
    @Test func everyEntryFor11Passes() async throws {
        let suite = try JSONLDSuite("toRdf-manifest.jsonld")
        var ran = 0
        var negative = 0
        var passedOver: [(name: String, reason: String)] = []
        for entry in suite.entries {
            guard !entry.isFor10 else {
                passedOver.append((entry.id, "JSON-LD 1.0 alone"))
                continue
            }
            ran += 1
            let options = try suite.options(of: entry)
            let document = try suite.json(entry.input)
            if entry.required == "GeneralizedRdf" {
                #expect(await error(suite, document, options) == .generalizedRDFNotSupported, "\(entry.id)")
                print("vectors:   \(entry.id) requires GeneralizedRdf and is refused as such")
            } else if let errorCode = entry.errorCode {
                negative += 1
                #expect(await error(suite, document, options)?.w3cName == errorCode, "\(entry.id)")
            } else {
                do {
                    try await suite.processor.loadContexts(for: document, options: options)
                    let dataset = try suite.processor.toRDF(document, options: options)
                    guard let expect = entry.expect else { continue }
                    let expected = try #require(JSONLDSuite.set.file(expect))
                    // Two datasets are the same but for the names of blank nodes if their canonical forms are.
                    let canonical = try RDFDataset(parsing: expected.bytes()).canonicalNQuads()
                    #expect(
                        String(decoding: try dataset.canonicalNQuads(), as: UTF8.self)
                            == String(decoding: canonical, as: UTF8.self),
                        "\(entry.id)"
                    )
                } catch {
                    Issue.record("\(entry.id): \(error)")
                }
            }
        }
        suite.file.report(ran: ran, passedOver: passedOver)
        print("vectors:   \(negative) of them negative")
    }
}
