import CBORKit
import Clibcbor
import Crypto
import Foundation
import Harness

/// Reading and writing CBOR beside libcbor, and Codable beside Foundation's JSON decoder.
enum CBORBenchmarks: LayerBenchmarks {
    static let layer = "CBORKit"

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        let document = CBORScene.document
        try reading(document, stopwatch, report)
        try writing(document, stopwatch, report)
        try response(stopwatch, report)
        try codable(stopwatch, report)
    }

    private static func figure(_ name: String, _ value: Double, _ bar: Bar) -> Figure {
        Figure(layer: layer, name: name, value: value, bar: bar)
    }

    /// Check and index, and the whole tree, beside `cbor_load`, which makes a tree too.
    private static func reading(_ bytes: [UInt8], _ stopwatch: Stopwatch, _ report: (Figure) -> Void) throws {
        let megabytes = Double(bytes.count / 100_000) / 10
        let index = try stopwatch.compare {
            blackHole(try CBORDocument(bytes))
        } with: {
            LibCBOR.withItem(bytes) { blackHole($0) }
        }
        report(figure("check and index \(megabytes) MB / libcbor's cbor_load", index.speedup, .atLeast(11)))
        let tree = try stopwatch.compare {
            blackHole(try CBOR(decoding: bytes))
        } with: {
            LibCBOR.withItem(bytes) { blackHole($0) }
        }
        report(figure("read \(megabytes) MB to an owned tree / libcbor's cbor_load", tree.speedup, .atLeast(2)))
    }

    /// An owned tree beside `cbor_serialize`, which is given a buffer that is large enough.
    private static func writing(_ bytes: [UInt8], _ stopwatch: Stopwatch, _ report: (Figure) -> Void) throws {
        let value = try CBOR(decoding: bytes)
        var buffer = [UInt8](repeating: 0, count: bytes.count)
        LibCBOR.withItem(bytes) { item in
            let serialize = {
                buffer.withUnsafeMutableBufferPointer { blackHole(cbor_serialize(item, $0.baseAddress, $0.count)) }
            }
            let plain = stopwatch.compare({ blackHole(value.encoded()) }, with: serialize)
            report(figure("write the owned tree / libcbor's cbor_serialize", plain.speedup, .atLeast(2.5)))
            let sorted = stopwatch.compare({ blackHole(value.encoded(.deterministic)) }, with: serialize)
            let name = "write it with its keys sorted / libcbor's cbor_serialize, which sorts nothing"
            report(figure(name, sorted.speedup, .atLeast(1)))
        }
        guard buffer == bytes, value.encoded() == bytes else { throw SceneError.differentBytes }
    }

    /// The index of a presentation of an mdoc, alone and with all that is in byte strings under tag 24.
    private static func response(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) throws {
        let bytes = CBORScene.response
        let hash = { blackHole(SHA256.hash(data: bytes)) }
        let alone = try stopwatch.compare({ blackHole(try CBORDocument(bytes)) }, with: hash)
        let name = "index a device response of \(bytes.count) bytes / SHA-256 of it"
        report(figure(name, alone.ratio, .atMost(0.33)))
        var options = CBORReadingOptions.default
        options.indexesEmbeddedItems = true
        let once = try stopwatch.compare({ blackHole(try CBORDocument(bytes, options: options)) }, with: hash)
        report(figure("index it in one pass with its items under tag 24 / SHA-256 of it", once.ratio, .atMost(1)))
        try smallMessages(stopwatch, report)
        let whole = try stopwatch.compare(
            { blackHole(try CBORScene.indexAll(CBORDocument(bytes).root)) },
            with: hash
        )
        let count = try CBORScene.indexAll(CBORDocument(bytes).root)
        report(figure("index it and its \(count) items under tag 24 / SHA-256 of it", whole.ratio, .atMost(5)))
    }

    /// The index of a key and of a signed item, where the memory for an index costs the most.
    private static func smallMessages(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) throws {
        let key: CBOR = [
            1: 2, -1: 1, -2: .bytes([UInt8](repeating: 1, count: 32)), -3: .bytes([UInt8](repeating: 2, count: 32)),
        ]
        let item: CBOR = [
            "digestID": 1, "random": .bytes([UInt8](repeating: 3, count: 32)), "elementIdentifier": "family_name",
            "elementValue": "Doe",
        ]
        for (name, bytes) in [("a COSE key", key.encoded()), ("a signed item", item.encoded())] {
            let index = try stopwatch.compare(
                { blackHole(try CBORDocument(bytes)) },
                with: { blackHole(SHA256.hash(data: bytes)) }
            )
            report(figure("index \(name) of \(bytes.count) bytes / SHA-256 of it", index.ratio, .atMost(1)))
        }
    }

    /// The same records from CBOR and from JSON.
    private static func codable(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) throws {
        let records = CBORScene.records
        let cbor = try CBOREncoder().encode(records)
        let json = try JSONEncoder().encode(records)
        guard try CBORDecoder().decode([CBORScene.Record].self, from: cbor) == records else {
            throw SceneError.differentBytes
        }
        let comparison = try stopwatch.compare {
            blackHole(try CBORDecoder().decode([CBORScene.Record].self, from: cbor))
        } with: {
            blackHole(try JSONDecoder().decode([CBORScene.Record].self, from: json))
        }
        let name = "decode \(records.count) Codable records / Foundation's JSONDecoder"
        report(figure(name, comparison.speedup, .atLeast(3)))
    }

    private enum SceneError: Error {
        case differentBytes
    }
}

/// libcbor's reader.
private enum LibCBOR {
    /// Reads an item, lends it, and frees it.
    static func withItem(_ bytes: [UInt8], _ body: (UnsafeMutablePointer<cbor_item_t>) -> Void) {
        var result = cbor_load_result()
        var item = bytes.withUnsafeBufferPointer { cbor_load($0.baseAddress, $0.count, &result) }
        if let item { body(item) }
        cbor_decref(&item)
    }
}
