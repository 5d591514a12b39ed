import CBORKit
import TestSupport
import Testing

/// Lengths that no input has.
@Suite struct LengthClaimTests {
    static let claims: [UInt64] = [1 << 31, 1 << 32, 1 << 62, (1 << 63) - 1, 1 << 63, .max - 1, .max]

    @Test(arguments: 2...5 as ClosedRange<UInt8>, claims)
    func areRefusedAtOnce(major: UInt8, claim: UInt64) {
        let head = [major << 5 | 27] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: claim >> UInt64(8 * $0)) }
        for rest in [[], [UInt8](repeating: 0, count: 100)] {
            for (prefix, offset) in [([UInt8](), 0), ([0x81], 1), ([0x9f, 0x01], 2), ([0xa1, 0x01], 2), ([0xc1], 1)] {
                let error = CBORError.reading(prefix + head + rest)
                #expect(error?.code == .truncated)
                #expect(error?.offset == offset)
            }
        }
        var reader = CBORIncrementalReader()
        reader.feed(head)
        let error = #expect(throws: CBORError.self) { try reader.next() }
        #expect(error?.code == .limitExceeded)
    }

    @Test func inChunksToo() throws {
        for hex in ["5f5bffffffffffffffff", "5f41005b7fffffffffffffff", "7f7b8000000000000000"] {
            #expect(CBORError.reading(try [UInt8](figure: hex))?.code == .truncated, "\(hex)")
        }
    }

    @Test func claimsDoNotTakeMemory() {
        let before = PeakMemory.bytes
        let bytes = (0..<10_000).flatMap { _ in [0x9a, 0x00, 0xff, 0xff, 0xff] as [UInt8] }
        #expect(CBORError.reading(bytes)?.code == .truncated)
        if let before, let after = PeakMemory.bytes { #expect(after - before < 64 << 20) }
    }
}
