import JSONKit
import LinkedDataKit
import TestSupport
import Testing

/// The expansion tests of the JSON-LD API.
@Suite(.enabled(if: VectorSet("json-ld").isAvailable, VectorSet.absence))
struct ExpandVectorTests {
    @Test func everyEntryFor11Passes() async throws {
        let suite = try JSONLDSuite("expand-manifest.jsonld")
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
            if let errorCode = entry.errorCode {
                negative += 1
                #expect(await error(suite, document, options)?.w3cName == errorCode, "\(entry.id)")
            } else {
                do {
                    try await suite.processor.loadContexts(for: document, options: options)
                    let expanded = try suite.processor.expand(document, options: options).value
                    let expected = try suite.json(try #require(entry.expect))
                    #expect(expanded.withSortedArrays() == expected.withSortedArrays(), "\(entry.id)")
                } catch {
                    Issue.record("\(entry.id): \(error)")
                }
            }
        }
        suite.file.report(ran: ran, passedOver: passedOver)
        print("vectors:   \(negative) of them negative")
    }
}

/// The code of the error that loading or expanding a document throws, or nil.
func error(_ suite: JSONLDSuite, _ document: JSONValue, _ options: JSONLDOptions) async -> LinkedDataError.Code? {
    do {
        try await suite.processor.loadContexts(for: document, options: options)
        _ = try suite.processor.toRDF(document, options: options)
        return nil
    } catch {
        return (error as? LinkedDataError)?.code
    }
}
