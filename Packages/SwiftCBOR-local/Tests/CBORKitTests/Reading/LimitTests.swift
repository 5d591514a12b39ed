import CBORKit
import TestSupport
import Testing

/// Every limit at its bound and one past it.
@Suite struct LimitTests {
    private func code(_ bytes: [UInt8], _ limits: CBORLimits) -> CBORError.Code? {
        CBORError.reading(bytes, .with { $0.limits = limits })?.code
    }

    @Test func size() {
        let bytes = CBOR.bytes([UInt8](repeating: 0, count: 98)).encoded()
        #expect(bytes.count == 100)
        #expect(code(bytes, CBORLimits(size: 100)) == nil)
        #expect(code(bytes, CBORLimits(size: 99)) == .limitExceeded)
        #expect(code(bytes, CBORLimits(size: 0)) == .limitExceeded)
        #expect(code(bytes, CBORLimits(size: -1)) == .limitExceeded)
        #expect(code(bytes, CBORLimits(size: .min)) == .limitExceeded)
        #expect(code(bytes, CBORLimits(size: .max)) == nil)
    }

    @Test(arguments: [[UInt8(0x81)], [0xa1, 0x00], [0xc1], [0x9f], [0xbf, 0x00]])
    func depth(head: [UInt8]) {
        for depth in [1, 2, 10, 128, CBORLimits.maximumDepth] {
            #expect(code(nested(head, depth), CBORLimits(depth: depth)) == nil)
            #expect(code(nested(head, depth + 1), CBORLimits(depth: depth)) == .limitExceeded)
        }
        #expect(code([0], CBORLimits(depth: 0)) == nil)
        #expect(code([0x80], CBORLimits(depth: 0)) == nil)
        #expect(code(nested(head, 1), CBORLimits(depth: 0)) == .limitExceeded)
        #expect(code(nested(head, 1), CBORLimits(depth: .min)) == .limitExceeded)
        #expect(code(nested(head, CBORLimits.maximumDepth + 1), CBORLimits(depth: .max)) == .limitExceeded)
        #expect(CBORError.reading(nested(head, 128)) == nil)
        #expect(CBORError.reading(nested(head, 129))?.code == .limitExceeded)
    }

    private func nested(_ head: [UInt8], _ depth: Int) -> [UInt8] {
        let isIndefinite = head[0] & 0x1f == 31
        return Array(repeatElement(head, count: depth).joined()) + [0]
            + (isIndefinite ? [UInt8](repeating: 0xff, count: depth) : [])
    }

    @Test func depthOfKeysCounts() throws {
        #expect(code(try [UInt8](figure: "a1818100" + "00"), CBORLimits(depth: 3)) == nil)
        #expect(code(try [UInt8](figure: "a1818100" + "00"), CBORLimits(depth: 2)) == .limitExceeded)
    }

    @Test func items() throws {
        let cases = [("83010203", 4), ("a101820203", 5), ("c100", 2), ("9f01ff", 3), ("5f4100ff", 3), ("00", 1)]
        for (hex, count) in cases {
            let bytes = try [UInt8](figure: hex)
            #expect(code(bytes, CBORLimits(items: count)) == nil, "\(hex)")
            #expect(code(bytes, CBORLimits(items: count - 1)) == .limitExceeded, "\(hex)")
        }
        #expect(code([0], CBORLimits(items: .min)) == .limitExceeded)
        #expect(code([0], CBORLimits(items: .max)) == nil)
    }

    @Test func itemsInLargeArrays() {
        let bytes = [0x9a, 0, 0, 0x10, 0] + [UInt8](repeating: 0, count: 4096)
        #expect(code(bytes, CBORLimits(items: 4097)) == nil)
        #expect(code(bytes, CBORLimits(items: 4096)) == .limitExceeded)
    }

    @Test func stringLength() throws {
        for hex in ["4401020304", "6461626364", "5f420102420304ff", "7f626162626364ff", "8144aabbccdd"] {
            let bytes = try [UInt8](figure: hex)
            #expect(code(bytes, CBORLimits(stringLength: 4)) == nil, "\(hex)")
            #expect(code(bytes, CBORLimits(stringLength: 3)) == .limitExceeded, "\(hex)")
            #expect(code(bytes, CBORLimits(stringLength: -1)) == .limitExceeded, "\(hex)")
        }
        #expect(code([0x40], CBORLimits(stringLength: 0)) == nil)
    }

    @Test func limitsHoldForStreamsToo() {
        let inputs: [([UInt8], CBORLimits)] = [
            ([0x81, 0x81, 0], CBORLimits(depth: 1)), ([0x58, 100], CBORLimits(size: 100)),
            ([0x82, 0, 0], CBORLimits(items: 2)), ([0x43, 0, 0, 0], CBORLimits(stringLength: 2)),
            ([0], CBORLimits(size: .min)), ([0x81], CBORLimits(depth: .min)), ([0], CBORLimits(items: .min)),
        ]
        for (bytes, limits) in inputs {
            var reader = CBORIncrementalReader(options: .with { $0.limits = limits })
            reader.feed(bytes)
            let error = #expect(throws: CBORError.self) { try reader.next() }
            #expect(error?.code == .limitExceeded)
        }
    }
}
