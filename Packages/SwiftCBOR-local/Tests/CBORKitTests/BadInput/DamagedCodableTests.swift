import CBORKit
import TestSupport
import Testing

/// Damaged and cut records: what decodes encodes and decodes alike, all else is an error.
@Suite struct DamagedCodableTests {
    private struct Record: Codable {
        var text: String?
        var flag: Bool?
        var integer: Int?
        var byte: UInt8?
        var double: Double?
        var bytes: [UInt8]?
        var value: CBOR?
        var dateTime: CBORDateTime?
        var bignum: CBORBigInteger?
        var tagged: CBORTagged<Int>?
        var embedded: EmbeddedCBOR<CBOR>?
        var list: [Record]?
        var labels: [Int: String]?
    }

    private static let sample: CBOR = [
        "text": "t", "flag": true, "integer": -7, "byte": 255, "double": 1.5, "bytes": .bytes([1, 2]),
        "value": ["k": [1, 2]], "dateTime": .tagged(0, "2013-03-21T20:04:00Z"),
        "bignum": .tagged(2, .bytes([1, 0, 0, 0, 0, 0, 0, 0, 0])), "tagged": .tagged(99, 3), "embedded": .embedded([1]),
        "list": [["integer": 1], [:]], "labels": [1: "a", -1: "b"],
    ]

    @Test func damagedRecordsComeBack() throws {
        let bytes = Self.sample.encoded()
        _ = try CBORDecoder().decode(Record.self, from: bytes)
        var mutator = Mutator(seed: 31)
        var accepted = 0
        for _ in 0..<3000 {
            guard let record = try? CBORDecoder().decode(Record.self, from: mutator.mutate(bytes)) else { continue }
            let written = try CBOREncoder().encode(record)
            let again = try CBORDecoder().decode(Record.self, from: written)
            #expect(try CBOREncoder().encode(again).count == written.count)
            accepted += 1
        }
        #expect((1..<3000).contains(accepted))
    }

    @Test func cutRecordsAreRefused() {
        let bytes = Self.sample.encoded()
        for count in bytes.indices {
            #expect(throws: DecodingError.self) { try CBORDecoder().decode(Record.self, from: Array(bytes[..<count])) }
        }
    }
}
