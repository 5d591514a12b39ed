import CBORKit
import TestSupport
import Testing

@Suite struct CBORHeadTests {
    private func map(_ hex: String) throws -> CBORMapView {
        try CBORDocument(#require([UInt8](hex: hex))).root.map()
    }

    @Test func headsComeInOrderWithTheirArguments() throws {
        var heads: [(CBORKind, UInt64?, CBORKind, UInt64?)] = []
        // {1: h'0102', -300: [_ ], "a": 1.5}
        let all = try map("a301420102" + "39012b9fff" + "6161f93e00").allHeads { key, value in
            heads.append((key.kind, key.argument, value.kind, value.argument))
            return true
        }
        #expect(all)
        #expect(heads.map(\.0) == [.unsigned, .negative, .textString])
        #expect(heads.map(\.1) == [1, 299, 1])
        #expect(heads.map(\.2) == [.byteString, .array, .float])
        #expect(heads.map(\.3) == [2, nil, 0x3e00])
    }

    @Test func theFirstUnexpectedPairEndsTheSearch() throws {
        var count = 0
        let all = try map("a301010261610303").allHeads { _, value in
            count += 1
            return value.kind == .unsigned
        }
        #expect(!all)
        #expect(count == 2)
    }

    @Test func anEmptyMapHasNothingUnexpected() throws {
        #expect(try map("a0").allHeads { _, _ in false })
    }
}
