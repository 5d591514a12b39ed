import CBORKit
import TestSupport
import Testing

/// Cut and damaged inputs: an error or a value, never a trap, and bounded memory.
@Suite(.serialized) struct DamagedInputTests {
    private static let allowance = 64 << 20

    @Test func aResponseCutAnywhereIsTruncated() {
        let bytes = ResponseSample.bytes
        #expect((4500...6000).contains(bytes.count))
        #expect(CBORError.reading(bytes) == nil)
        for count in bytes.indices {
            let error = CBORError.reading(Array(bytes[..<count]))
            guard let error, error.code == .truncated, let offset = error.offset, offset <= count else {
                Issue.record("cut at \(count): \(String(describing: error))")
                continue
            }
        }
    }

    @Test(.enabled(if: VectorSet("cbor").isAvailable, VectorSet.absence))
    func vectorInputsCutAnywhereAreTruncated() throws {
        let inputs = try VectorSet("cbor").files(withExtension: "json").flatMap { try Self.inputs(of: $0) }
        var cuts = 0
        for bytes in inputs where CBORError.reading(bytes) == nil {
            for count in bytes.indices {
                #expect(CBORError.reading(Array(bytes[..<count]))?.code == .truncated, "\(bytes.hex) cut at \(count)")
            }
            cuts += bytes.count
        }
        #expect(!inputs.isEmpty)
        print("vectors: \(inputs.count) inputs, of which the readable ones were cut at \(cuts) bytes")
    }

    @Test(
        .enabled(if: VectorSet("cbor").isAvailable, VectorSet.absence),
        arguments: VectorSet("cbor").files(withExtension: "json")
    )
    func damagedVectorInputsComeBack(file: VectorFile) throws {
        // scripts/check-mutations damages each file 100,000 times.
        try damage(Self.inputs(of: file), times: 2000, seed: 21)
    }

    @Test func damagedInputsOfOurOwnComeBack() throws {
        var generator = CBORGenerator(seed: 22)
        try damage((0..<500).map { _ in generator.encoding(of: generator.value(depth: 2)) }, times: 10_000, seed: 22)
    }

    @Test func aDamagedResponseComesBack() throws {
        try damage([ResponseSample.bytes], times: 1000, seed: 23)
    }

    private func damage(_ inputs: [[UInt8]], times: Int, seed: UInt64) throws {
        try #require(!inputs.isEmpty)
        var mutator = Mutator(seed: seed)
        let before = PeakMemory.bytes
        var accepted = 0
        for index in 0..<times where Probe.read(mutator.mutate(inputs[index % inputs.count])) { accepted += 1 }
        #expect(accepted < times)
        if let before, let after = PeakMemory.bytes { #expect(after - before < Self.allowance) }
    }

    /// All bytes in a file, whatever the members are called.
    private static func inputs(of file: VectorFile) throws -> [[UInt8]] {
        try file.decode(VectorModel.self).cases.flatMap { _, test in
            test.members.keys.sorted().filter { !["value", "double_bits"].contains($0) }.compactMap(test.bytes)
        }
    }
}
