import CBORKit
import TestSupport
import Testing

@Suite struct ViewTests {
    private let sample: CBOR = [
        "version": "1.0", "documents": [["docType": "org.iso.18013.5.1.mDL", -7: .bytes([1, 2, 3])]], "status": 0,
    ]

    @Test func readsByKeyAndIndex() throws {
        let root = try CBORDocument(sample.encoded()).root.map()
        #expect(root.count == 3)
        #expect(try root.required("version").text() == "1.0")
        let first = try root.required("documents").array().element(at: 0).map()
        #expect(try first.required(-7).bytes() == [1, 2, 3])
        #expect(root.value(forKey: "missing") == nil)
    }

    @Test func errorsSayWhere() throws {
        let root = try CBORDocument(sample.encoded()).root.map()
        let element = try root.required("documents").array().element(at: 0).map().required("docType")
        let error = #expect(throws: CBORError.self) { try element.integer(as: Int.self) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.path.description == "documents[0].docType")
        #expect(error?.offset == 33)
    }

    @Test func givesBytesAsReceived() throws {
        let bytes = try #require([UInt8](hex: "9f1801d81842820101ff".replacing("820101", with: "8101")))
        let root = try CBORDocument(bytes).root
        #expect(root.encodedBytes.hex == bytes.hex)
        let elements = Array(try root.array())
        #expect(elements[0].encodedBytes.hex == "1801")
        #expect(elements[1].encodedBytes.hex == "d818428101")
        let embedded = try elements[1].embedded()
        #expect(embedded.encodedBytes.hex == "8101")
        #expect(embedded.root.offset == 6)
    }
}
