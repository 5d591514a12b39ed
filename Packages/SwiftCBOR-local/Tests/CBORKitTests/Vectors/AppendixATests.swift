import CBORKit
import TestSupport
import Testing

/// The examples of RFC 8949 appendix A, both ways.
@Suite struct AppendixATests {
    struct Model: Decodable {
        struct Case: Decodable {
            let hex: String
            let roundtrip: Bool
        }
        let tests: [Case]
    }

    @Test(.enabled(if: VectorSet("cbor").isAvailable, VectorSet.absence))
    func examplesReadAndWrite() throws {
        let file = try #require(VectorSet("cbor").file("rfc8949_appendix_a.json"))
        let model = try file.decode(Model.self)
        for test in model.tests {
            let bytes = try #require([UInt8](hex: test.hex))
            let plain = try CBOR(decoding: bytes)
            #expect((plain.encoded() == bytes) == test.roundtrip, "\(test.hex)")
            #expect(try CBOR(decoding: bytes, keepingForm: true).encoded(.asRead) == bytes, "\(test.hex)")
            #expect(try CBOR(decoding: plain.encoded()) == plain, "\(test.hex)")
        }
        file.report(ran: model.tests.count)
    }
}
