import CBORKit
import TestSupport
import Testing

/// Offset and path in errors.
@Suite struct ErrorPlaceTests {
    @Test(arguments: [
        ("8201ff", 2, "[1]"), ("a1616181ff", 4, "a[0]"), ("a16161a101a220012001", 8, "a{1}{key 1}"),
        ("a120a1626262c1ff", 7, "{-1}.bb<1>"), ("a1410a81", 3, "{410a}"), ("83000161ff", 4, "[2]"),
        ("a181ff00", 2, "{key 0}[0]"), ("a201020101", 3, "{key 1}"), ("d818c1ff", 3, "<24><1>"), ("1c", 0, ""),
        ("9f9f018100ff1c", 6, "[1]"), ("818181181e1d", 5, ""),
    ])
    func wellFormedness(hex: String, offset: Int, path: String) throws {
        let error = try #require(CBORError.reading([UInt8](figure: hex)), "\(hex)")
        #expect(error.offset == offset, "\(hex): \(error)")
        #expect(error.path.description == path, "\(hex): \(error)")
    }

    @Test func accessSaysWhatWasExpectedWhereAndWhatWasFound() throws {
        let value: CBOR = ["a": [1, [-1: "x"]]]
        let root = try CBORDocument(value.encoded()).root
        let item = try root.map().required("a").array().element(at: 1).map().required(-1)
        let error = #expect(throws: CBORError.self) { try item.bytes() }
        #expect(
            error?.description == "CBOR typeMismatch: expected byte string, found text string at byte 7, in a[1]{-1}"
        )
        let missing = #expect(throws: CBORError.self) { try root.map().required("b") }
        #expect(missing?.code == .missingItem)
        #expect(missing?.offset == 0)
        let few = #expect(throws: CBORError.self) { try root.map().required("a").array(count: 3) }
        #expect(few?.code == .missingItem)
        let many = #expect(throws: CBORError.self) { try root.map().required("a").array(count: 1) }
        #expect(many?.code == .unexpectedItem)
        for index in [2, -1, Int.max] {
            let error = #expect(throws: CBORError.self) { try root.map().required("a").array().element(at: index) }
            #expect(error?.code == .missingItem)
            #expect(error?.path.description == "a")
        }
    }

    @Test func everyAccessorRefusesOtherKinds() throws {
        let kinds: [(CBORKind, String)] = [
            (.unsigned, "01"), (.negative, "20"), (.byteString, "4100"), (.textString, "6161"), (.array, "80"),
            (.map, "a0"), (.tag, "c100"), (.simple, "f5"), (.float, "f90000"),
        ]
        for (kind, hex) in kinds {
            let view = try CBORDocument([UInt8](figure: hex)).root
            #expect(view.kind == kind)
            expect(view, [.unsigned, .negative]) { _ = try $0.integer(as: Int.self) }
            expect(view, [.byteString]) { _ = try $0.bytes() }
            expect(view, [.textString]) { _ = try $0.text() }
            expect(view, [.textString]) { _ = try $0.utf8() }
            expect(view, [.array]) { _ = try $0.array() }
            expect(view, [.map]) { _ = try $0.map() }
            expect(view, [.tag]) { _ = try $0.content(ofTag: 1) }
            expect(view, [.simple]) { _ = try $0.bool() }
            expect(view, [.simple]) { _ = try $0.simple() }
            expect(view, [.float]) { _ = try $0.float() }
            expect(view, [.float]) { _ = try $0.double() }
            expect(view, [.byteString]) { _ = try $0.embedded() }
        }
    }

    private func expect(_ view: CBORView, _ kinds: Set<CBORKind>, _ access: (CBORView) throws -> Void) {
        guard !kinds.contains(view.kind) else {
            #expect(throws: Never.self) { try access(view) }
            return
        }
        let error = #expect(throws: CBORError.self) { try access(view) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.offset == 0)
    }

    @Test func placesWithinEmbeddedItemsAreThoseOfTheWhole() throws {
        let value: CBOR = [0, .embedded(["k": [true]])]
        let root = try CBORDocument(value.encoded()).root
        let embedded = try root.array().element(at: 1).embedded()
        let item = try embedded.root.map().required("k").array().element(at: 0)
        #expect(item.offset == 9)
        #expect(item.path.description == "[1]<24><<>>.k[0]")
        let broken = try CBORDocument([0x81, 0xd8, 0x18, 0x42, 0x81, 0x1c]).root.array().element(at: 0)
        let error = #expect(throws: CBORError.self) { try broken.embedded() }
        #expect(error?.offset == 5)
        #expect(error?.code == .reserved)
        #expect(error?.path.description.hasPrefix("[0]<24><<>>") == true)
    }

    @Test func placesInSequencesAreThoseOfTheWhole() throws {
        let error = #expect(throws: CBORError.self) { try CBORDocument.sequence([0x01, 0x81, 0x02, 0x82, 0x00, 0x1d]) }
        #expect(error?.offset == 5)
        #expect(error?.path.description == "[2][1]")
    }

    @Test func longKeysAreShortenedInMessages() {
        let path = CBORPath([.key(String(repeating: "k", count: 10_000)), .index(1)])
        #expect(path.description.utf8.count < 100)
        #expect(path.description.hasSuffix("…[1]"))
    }
}
