import CBORKit
import TestSupport
import Testing

/// Every reading option, on and off.
@Suite struct ReadingOptionTests {
    private func expect(
        _ hex: String,
        _ code: CBORError.Code,
        at offset: Int,
        with change: (inout CBORReadingOptions) -> Void
    ) throws {
        let bytes = try [UInt8](figure: hex)
        var usual = CBORReadingOptions.default
        usual.duplicateKeys = .allow
        usual.trailingBytes = .allow
        #expect(CBORError.reading(bytes, usual) == nil, "\(hex)")
        change(&usual)
        let error = try #require(CBORError.reading(bytes, usual), "\(hex)")
        #expect(error.code == code, "\(hex): \(error)")
        #expect(error.offset == offset, "\(hex): \(error)")
    }

    @Test(arguments: [
        ("81 1817", 1), ("190018", 0), ("1a0000ffff", 0), ("1b00000000ffffffff", 0), ("3817", 0), ("580100", 0),
        ("780161", 0), ("9800", 0), ("b800", 0), ("d81700", 0), ("c24101", 0), ("82 01 c24900ffffffffffffffff", 2),
        ("c340", 0), ("5f580100ff", 1),
    ])
    func shortestArguments(hex: String, offset: Int) throws {
        try expect(hex, .notDeterministic, at: offset) { $0.requiresShortestArguments = true }
    }

    @Test(arguments: [
        ("81fa3fc00000", 1), ("fb3ff8000000000000", 0), ("fb47efffffe0000000", 0), ("f97e01", 0), ("fa7fc00000", 0),
        ("fb7ff0000000000000", 0), ("fa00000000", 0),
    ])
    func shortestFloats(hex: String, offset: Int) throws {
        try expect(hex, .notDeterministic, at: offset) { $0.requiresShortestFloats = true }
    }

    @Test(arguments: [("819fff", 1), ("bfff", 0), ("5fff", 0), ("7f6161ff", 0), ("a1019fff", 2)])
    func definiteLengths(hex: String, offset: Int) throws {
        try expect(hex, .notDeterministic, at: offset) { $0.requiresDefiniteLengths = true }
    }

    @Test func keyOrder() throws {
        try expect("a202010101", .notDeterministic, at: 3) { $0.keyOrder = .bytewise }
        try expect("a220011864 01", .notDeterministic, at: 3) { $0.keyOrder = .bytewise }
        try expect("a218640120 01", .notDeterministic, at: 4) { $0.keyOrder = .lengthFirst }
        try expect("a201010102", .duplicateKey, at: 3) { $0.keyOrder = .bytewise }
        try expect("a101a202010101", .notDeterministic, at: 5) { $0.keyOrder = .bytewise }
        #expect(CBORError.reading(try [UInt8](figure: "a218640120 01"), .with { $0.keyOrder = .bytewise }) == nil)
        #expect(CBORError.reading(try [UInt8](figure: "a220011864 01"), .with { $0.keyOrder = .lengthFirst }) == nil)
    }

    @Test func trailingBytes() throws {
        try expect("0102", .trailingBytes, at: 1) { $0.trailingBytes = .refuse }
        try expect("8101ff", .trailingBytes, at: 2) { $0.trailingBytes = .refuse }
        let document = try CBORDocument([0x81, 1, 0xff, 0xff], options: .with { $0.trailingBytes = .allow })
        #expect(document.encodedBytes.hex == "8101")
        #expect(document.trailingBytes.hex == "ffff")
        #expect(try CBORDocument([1]).trailingBytes.isEmpty)
    }

    @Test func duplicateKeys() throws {
        try expect("a201010102", .duplicateKey, at: 3) { $0.duplicateKeys = .refuse }
        let allowed = try CBORDocument([UInt8](figure: "a201010102"), options: .with { $0.duplicateKeys = .allow })
        #expect(try allowed.root.map().required(1).integer(as: Int.self) == 1)
        #expect(try allowed.root.map().count == 2)
    }

    @Test func allowedTags() throws {
        try expect("82c100c200", .notAllowed, at: 3) { $0.allowedTags = [1] }
        try expect("d9d9f700", .notAllowed, at: 0) { $0.allowedTags = [] }
        #expect(CBORError.reading([0xc1, 0], .with { $0.allowedTags = [1] }) == nil)
        #expect(CBORError.reading([0x80], .with { $0.allowedTags = [] }) == nil)
    }

    @Test func allowedSimpleValues() throws {
        try expect("82f5f7", .notAllowed, at: 2) { $0.allowedSimpleValues = [.true, .false, .null] }
        try expect("f8ff", .notAllowed, at: 0) { $0.allowedSimpleValues = [.null] }
        try expect("f4", .notAllowed, at: 0) { $0.allowedSimpleValues = [] }
        #expect(CBORError.reading([0xf6], .with { $0.allowedSimpleValues = [.null] }) == nil)
        #expect(CBORError.reading([0xf9, 0, 0], .with { $0.allowedSimpleValues = [] }) == nil)
    }

    @Test(arguments: [
        ("f94a00", 0), ("81f98000", 1), ("f90000", 0), ("fa5f000000", 0), ("f7", 0), ("e0", 0), ("f8ff", 0),
        ("9fff", 0), ("1800", 0), ("a202010101", 3), ("6365cc81", 0), ("63e284a6", 0),
    ])
    func dCBOR(hex: String, offset: Int) throws {
        try expect(hex, .notDeterministic, at: offset) {
            $0 = .dCBOR
        }
    }

    @Test(arguments: [
        ("62c328", 1), ("61ff", 1), ("62c080", 1), ("63eda080", 1), ("64f4908080", 1), ("7f61c361bcff", 2),
        ("8261616261c3", 5), ("78 19 6161616161616161616161616161616161616161616161 61ff", 26),
    ])
    func textMustBeUTF8(hex: String, offset: Int) throws {
        let error = try #require(CBORError.reading([UInt8](figure: hex)), "\(hex)")
        #expect(error.code == .invalidUTF8, "\(hex): \(error)")
        #expect(error.offset == offset, "\(hex): \(error)")
    }

    @Test func bordersOfUTF8AreText() throws {
        for scalar: Unicode.Scalar in [
            "\0", "\u{7f}", "\u{80}", "\u{7ff}", "\u{800}", "\u{d7ff}", "\u{e000}",
            "\u{ffff}", "\u{10000}", "\u{10ffff}",
        ] {
            let text = String(scalar)
            #expect(try CBORDocument(CBOR(text).encoded()).root.text().unicodeScalars.elementsEqual([scalar]))
        }
    }
}
