import CBORKit
import TestSupport
import Testing

/// Diagnostic notation of all external CBOR vectors: what is printed is read back into the same bytes.
@Suite(.enabled(if: VectorSet("cbor").isAvailable, VectorSet.absence))
struct DiagnosticVectorTests {
    struct Model: Decodable {
        struct Case: Decodable {
            let hex: String?
            let edn: String?
            let diagnostic: String?
        }
        let tests: [Case]?
    }

    @Test(arguments: VectorSet("cbor").files(withExtension: "json"))
    func notationsAndBytesAgree(file: VectorFile) throws {
        var passedOver: [(name: String, reason: String)] = []
        let tests = try file.decode(Model.self).tests ?? []
        for (index, test) in tests.enumerated() {
            guard let bytes = test.hex.flatMap([UInt8].init(hex:)) else {
                passedOver.append(("test \(index)", "has no bytes of an encoding"))
                continue
            }
            if let notation = test.edn { #expect(try CBORDiagnosticNotation.encode(notation) == bytes, "\(notation)") }
            guard let items = Self.items(bytes) else {
                #expect(test.edn == nil && test.diagnostic == nil)
                passedOver.append((bytes.hex, "is no sequence of valid items"))
                continue
            }
            try checkRoundTrip(items, bytes)
            if let notation = test.diagnostic { try check(notation, items) }
        }
        file.report(ran: tests.count - passedOver.count, passedOver: passedOver)
    }

    private static func items(_ bytes: [UInt8]) -> [CBORDocument]? {
        var options = CBORReadingOptions.default
        options.duplicateKeys = .allow
        return try? CBORDocument.sequence(bytes, options: options)
    }

    private func checkRoundTrip(_ items: [CBORDocument], _ bytes: [UInt8]) throws {
        for options in [CBORDiagnosticOptions.compact, .readable] {
            let text = CBORDiagnosticNotation.text(ofSequence: items, options)
            #expect(try CBORDiagnosticNotation.encodeSequence(text) == bytes, "\(text)")
        }
        for item in items {
            let value = try FormedCBOR(diagnosticNotation: item.root.diagnosticNotation())
            #expect(value.encoded() == Array(item.encodedBytes))
        }
    }

    /// The notation that a file gives does not always show indefinite lengths and widths, so values are compared.
    private func check(_ notation: String, _ items: [CBORDocument]) throws {
        let root = try #require(items.first).root
        #expect(try CBOR(diagnosticNotation: notation) == root.value(), "\(notation)")
    }
}
