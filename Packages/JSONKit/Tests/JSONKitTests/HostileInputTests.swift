import JSONKit
import TestSupport
import Testing

/// Truncated, damaged and endlessly nested inputs end in an error, at once and in little memory.
@Suite(.serialized) struct HostileInputTests {
    static let samples = [
        #"{"iss":"https://example.com","iat":1516239022,"cnf":{"jwk":{"kty":"EC","crv":"P-256","x":"TCAER19Zvu3"}}}"#,
        #"[true,false,null,-12.5e+3,"\ud83d\ude00 é \"\\\/\b\f\n\r\t",{"":[[],{}]},0,"\u0000"]"#,
        #" { "a" : [ 1 , 2 , { "b" : "c" } ] , "names" : { "a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":0 } } "#,
        #"["one string that is longer than a few machine words, so that it is scanned by words 😀 and bytes"]"#,
    ]

    @Test(arguments: samples)
    func textsCutShortAreTruncated(text: String) throws {
        let bytes = Array(text.utf8)
        let end = (bytes.lastIndex { $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "}") } ?? 0) + 1
        for length in 0..<end {
            let error = try refusal(of: Array(bytes[..<length]))
            #expect(error.code == .truncated)
            #expect(try #require(error.offset) <= length)
        }
        #expect(throws: Never.self) { try JSONDocument(bytes) }
    }

    @Test func damagedTextsNeverTrap() throws {
        let before = try #require(PeakMemory.bytes)
        var damage = Damage(seed: 8259)
        let inputs = Self.samples.map { Array($0.utf8) } + (1...20).map { JSONGenerator.sample(seed: $0) }
        for _ in 0..<(5000 / inputs.count) { for input in inputs { damage.check(input) } }
        print("damaged texts of our own: \(damage.accepted) accepted, \(damage.refused) refused")
        #expect(damage.refused > damage.accepted)
        #expect(try #require(PeakMemory.bytes) - before < 64 << 20)
    }

    @Test(.enabled(if: VectorSet("").isAvailable, VectorSet.absence))
    func damagedVectorsNeverTrap() throws {
        let before = try #require(PeakMemory.bytes)
        let files = VectorSet("").files(withExtension: "json", "jsonld")
        var damage = Damage(seed: 8259)
        let rounds = 10_000 / max(files.count, 1) + 1
        for file in files {
            let bytes = try file.bytes()
            damage.check(bytes)
            // Large files are damaged part by part: any value of a document is a document.
            let document = try JSONDocument(bytes)
            var parts = Parts(document.root, mostBytes: 2000)
            for _ in 1..<rounds { damage.check(parts.next()) }
        }
        print("damaged texts of \(files.count) vector files: \(damage.accepted) accepted, \(damage.refused) refused")
        #expect(damage.accepted + damage.refused >= 10_000)
        #expect(try #require(PeakMemory.bytes) - before < 64 << 20)
    }

    @Test(arguments: ["[", #"{"a":"#, #"[{"a":"#])
    func deepNestingNeedsNoStack(opening: String) async throws {
        let levels = 100_000 / opening.count { $0 == "[" || $0 == "{" }
        let closing = String(opening.reversed().compactMap { $0 == "[" ? "]" : $0 == "{" ? "}" : nil })
        let text = String(repeating: opening, count: levels) + "1" + String(repeating: closing, count: levels)
        try await withStack(of: 512 << 10) {
            #expect(try refusal(of: text).code == .depthLimit)
            #expect(try refusal(of: String(repeating: opening, count: levels), limits: .deep).code == .truncated)
            let document = try JSONDocument(text, limits: .deep)
            var view = document.root
            while let inner = view[0] ?? view["a"] { view = inner }
            #expect(try view.integer() == 1)
            #expect(view.path.components.count == 100_000)
            #expect(view.path.description.utf8.count > 100_000)
            #expect(throws: JSONError.self) { try document.root.value() }
            #expect(throws: JSONError.self) { try JSONValue(parsing: text, limits: .deep) }
            #expect(throws: JSONError.self) { try StrictJSONDecoder(limits: .deep).decode(JSONValue.self, from: text) }
        }
    }

    @Test func deepestOwnedValuesNeedLittleStack() async throws {
        let depth = JSONValue.maximumDepth
        let text = String(repeating: #"[{"a":"#, count: depth / 2) + "1" + String(repeating: "}]", count: depth / 2)
        try await withStack(of: 512 << 10) {
            let value = try JSONValue(parsing: text, limits: .deep)
            let other = try JSONValue(parsing: text, limits: .deep)
            #expect(value == other)
            #expect(value.hashValue == other.hashValue)
            #expect(value.text() == text)
            #expect(try value.canonicalized() == value.encoded())
            #expect(value.encoded(.pretty).count > text.utf8.count)
        }
    }

    @Test func typesThatContainThemselvesDecodeOnALittleStack() async throws {
        struct Tree: Codable { var children: [Tree] }
        let depth = JSONLimits.default.depth / 2
        let text = String(repeating: #"{"children":["#, count: depth) + String(repeating: "]}", count: depth)
        try await withStack(of: 512 << 10) {
            let tree = try StrictJSONDecoder().decode(Tree.self, from: text)
            #expect(String(decoding: try StrictJSONEncoder().encode(tree), as: UTF8.self) == text)
        }
    }
}

extension JSONLimits {
    /// Limits that let any nesting through.
    static let deep = JSONLimits(depth: .max)
}

extension JSONGenerator {
    /// The text of one generated value.
    static func sample(seed: UInt64) -> [UInt8] {
        var generator = JSONGenerator(seed: seed)
        return generator.text(of: .array([generator.value(depth: 3), generator.value(depth: 3)]))
    }
}

/// Damages texts, reads what comes out in every way, and counts.
private struct Damage {
    private var mutator: Mutator
    private(set) var accepted = 0
    private(set) var refused = 0

    init(seed: UInt64) {
        mutator = Mutator(seed: seed)
    }

    mutating func check(_ input: [UInt8]) {
        let bytes = mutator.mutate(input)
        do throws(JSONError) {
            let document = try JSONDocument(bytes)
            try readEverything(document, bytes)
            accepted += 1
        } catch {
            #expect(error.offset.map { 0...bytes.count ~= $0 } ?? true)
            #expect(!error.description.isEmpty)
            refused += 1
        }
    }

    private func readEverything(_ document: JSONDocument, _ bytes: [UInt8]) throws(JSONError) {
        let value = try document.root.value()
        #expect(try value == JSONValue(parsing: value.encoded()))
        if let canonical = try? value.canonicalized() {
            #expect(try JSONValue(parsing: canonical).canonicalized() == canonical)
        }
    }
}

/// Gives the values of a document one after the other, those of moderate size, over and over.
private struct Parts {
    private var parts: [[UInt8]] = []
    private var position = 0

    init(_ root: JSONView, mostBytes: Int) {
        var pending = [root]
        while let view = pending.popLast(), parts.count < 200 {
            if view.bytes.count <= mostBytes {
                parts.append(Array(view.bytes))
            } else if let array = try? view.array() {
                pending += array
            } else if let object = try? view.object() {
                pending += object.map(\.value)
            }
        }
        if parts.isEmpty { parts.append(Array(root.bytes)) }
    }

    mutating func next() -> [UInt8] {
        defer { position = (position + 1) % parts.count }
        return parts[position]
    }
}
