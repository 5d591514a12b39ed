import Foundation
import Harness
import JSONKit

/// JSONKit beside Foundation's readers and writers, on the same bytes.
enum JSONBenchmarks: LayerBenchmarks {
    static let layer = "JSONKit"

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) throws {
        let records = JSONRecord.samples(4000)
        let bytes = try StrictJSONEncoder().encode(records)
        let size = "a document of \(bytes.count / 1000) kB"
        try compareReading(stopwatch, bytes, size, report: report)
        try compareWriting(stopwatch, bytes, size, report: report)
        try compareCoding(stopwatch, records, bytes, report: report)
    }

    private static func compareReading(
        _ stopwatch: Stopwatch,
        _ bytes: [UInt8],
        _ size: String,
        report: (Figure) -> Void
    ) throws {
        let data = Data(bytes)
        let serialization = { blackHole(try JSONSerialization.jsonObject(with: data)) }
        let index = try stopwatch.compare({ blackHole(try JSONDocument(bytes)) }, with: serialization)
        add("check and index \(size), times JSONSerialization", index.speedup, .atLeast(2), report)
        add("check and index \(size)", megabytesPerSecond(bytes, index.nanosecondsOfA), unit: "MB/s", report)
        let value = try stopwatch.compare({ blackHole(try JSONValue(parsing: bytes)) }, with: serialization)
        add("\(size) to a value, times JSONSerialization", value.speedup, .atLeast(2), report)
        add("\(size) to a value", megabytesPerSecond(bytes, value.nanosecondsOfA), unit: "MB/s", report)
        let tree = try stopwatch.compare({ blackHole(rebuilt(try JSONValue(parsing: bytes))) }, with: serialization)
        add("\(size) to an owned tree, times JSONSerialization", tree.speedup, .atLeast(2), report)
    }

    private static func compareWriting(
        _ stopwatch: Stopwatch,
        _ bytes: [UInt8],
        _ size: String,
        report: (Figure) -> Void
    ) throws {
        let value = rebuilt(try JSONValue(parsing: bytes))
        let object = try JSONSerialization.jsonObject(with: Data(bytes))
        let writing = try stopwatch.compare(
            { blackHole(value.encoded()) },
            with: { blackHole(try JSONSerialization.data(withJSONObject: object)) }
        )
        add("write an owned tree, \(size), times JSONSerialization", writing.speedup, .atLeast(2), report)
        let read = try JSONValue(parsing: bytes)
        let copying = try stopwatch.compare(
            { blackHole(read.encoded()) },
            with: { blackHole(try JSONSerialization.data(withJSONObject: object)) }
        )
        add("write a value as it was read, \(size), times JSONSerialization", copying.speedup, .atLeast(2), report)
        let canonical = try stopwatch.nanoseconds { blackHole(try value.canonicalized()) }
        add("write \(size) in canonical form (RFC 8785)", megabytesPerSecond(bytes, canonical), unit: "MB/s", report)
    }

    private static func compareCoding(
        _ stopwatch: Stopwatch,
        _ records: [JSONRecord],
        _ bytes: [UInt8],
        report: (Figure) -> Void
    ) throws {
        let data = Data(bytes)
        let decoding = try stopwatch.compare(
            { blackHole(try StrictJSONDecoder().decode([JSONRecord].self, from: bytes)) },
            with: { blackHole(try JSONDecoder().decode([JSONRecord].self, from: data)) }
        )
        add("decode \(records.count) Codable records, times JSONDecoder", decoding.speedup, nil, report)
        let encoding = try stopwatch.compare(
            { blackHole(try StrictJSONEncoder().encode(records)) },
            with: { blackHole(try JSONEncoder().encode(records)) }
        )
        add("encode \(records.count) Codable records, times JSONEncoder", encoding.speedup, nil, report)
    }

    /// A value whose members are all its own: those of an object that was read are made when they are looked at.
    private static func rebuilt(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(rebuilt))
        case .object(let object):
            .object(JSONObject(distinct: object.map { JSONObject.Entry(name: $0.name, value: rebuilt($0.value)) }))
        default: value
        }
    }

    private static func megabytesPerSecond(_ bytes: [UInt8], _ nanoseconds: Double) -> Double {
        Double(bytes.count) / nanoseconds * 1000
    }

    private static func add(
        _ name: String,
        _ value: Double,
        _ bar: Bar? = nil,
        unit: String = "x",
        _ report: (Figure) -> Void
    ) {
        report(Figure(layer: layer, name: name, value: value, unit: unit, bar: bar))
    }
}

/// A record as registers keep them: short and long texts, some of them escaped or not ASCII, numbers, and parts.
private struct JSONRecord: Codable {
    struct Address: Codable {
        var street: String
        var city: String
        var postcode: Int
    }

    var id: Int
    var name: String
    var active: Bool
    var score: Double
    var tags: [String]
    var address: Address
    var note: String?

    static func samples(_ count: Int) -> [JSONRecord] {
        (0..<count).map { index in
            JSONRecord(
                id: index,
                name: "Person número \(index)",
                active: index % 2 == 0,
                score: Double(index) * 1.25,
                tags: ["alpha", "beta\n", "credential-\(index)"],
                address: Address(
                    street: "Main street \(index), with the name of the building",
                    city: "Utrecht",
                    postcode: 1000 + index
                ),
                note: index % 3 == 0 ? nil : "a \"note\" on \(index)"
            )
        }
    }
}
