import CBORKit
import TestSupport
import Testing

/// The examples of RFC 8949 appendix F and more that are not well-formed.
@Suite struct MalformedTests {
    struct Model: Decodable {
        struct Case: Decodable {
            let hex: String
            let category: String
        }
        let tests: [Case]
        let extra: [Case]
    }

    @Test(.enabled(if: VectorSet("cbor").isAvailable, VectorSet.absence))
    func examplesAreRefused() throws {
        let file = try #require(VectorSet("cbor").file("rfc8949_appendix_f_malformed.json"))
        let model = try file.decode(Model.self)
        for test in model.tests + model.extra {
            let bytes = try #require([UInt8](hex: test.hex))
            let error = #expect(throws: CBORError.self, "\(test.hex): \(test.category)") { try CBORDocument(bytes) }
            let offset = try #require(error?.offset)
            #expect((0...bytes.count).contains(offset))
        }
        file.report(ran: model.tests.count + model.extra.count)
    }
}
