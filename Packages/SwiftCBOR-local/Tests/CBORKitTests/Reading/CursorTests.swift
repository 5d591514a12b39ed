import CBORKit
import TestSupport
import Testing

@Suite struct CursorTests {
    private func cursor(_ value: CBOR) throws -> CBORCursor {
        try CBORDocument(value.encoded()).root.cursor()
    }

    @Test func itemsAreReadInTurn() throws {
        var cursor = try cursor([.bytes([1]), [33: "x"], nil, .bytes([2]), -7, true, 1.5, "text", ["inner"], 9])
        #expect(try cursor.bytes() == [1])
        #expect(try cursor.next().map().required(33).text() == "x")
        #expect(try cursor.bytesOrNull() == nil)
        #expect(try cursor.bytesOrNull() == [2])
        #expect(try cursor.integer(as: Int8.self) == -7)
        #expect(try cursor.bool())
        #expect(try cursor.double() == 1.5)
        #expect(try cursor.text() == "text")
        var inner = try cursor.cursor()
        #expect(try inner.text() == "inner")
        #expect(inner.isAtEnd)
        try inner.finish()
        #expect(try cursor.value(CBOR.self) == 9)
        try cursor.finish()
    }

    @Test func keysAndValuesComeInTurns() throws {
        var cursor = try cursor(["a": 1])
        #expect(try cursor.text() == "a")
        #expect(try cursor.integer(as: Int.self) == 1)
        #expect(cursor.isAtEnd)
    }

    @Test func errorsHaveThePlaceOfTheItem() throws {
        var cursor = try cursor(["a", 1])
        let mismatch = #expect(throws: CBORError.self) { try cursor.bytes() }
        #expect(mismatch?.code == .typeMismatch)
        #expect(mismatch?.path.description == "[0]")
        let leftOver = #expect(throws: CBORError.self) { try cursor.finish() }
        #expect(leftOver?.code == .unexpectedItem)
        #expect(leftOver?.path.description == "[1]")
        _ = try cursor.next()
        let missing = #expect(throws: CBORError.self) { try cursor.next() }
        #expect(missing?.code == .missingItem)
        let scalar = #expect(throws: CBORError.self) { try CBORDocument([0x01]).root.cursor() }
        #expect(scalar?.code == .typeMismatch)
    }

    @Test func failuresInChunksPointToTheString() throws {
        let bytes = try #require([UInt8](hex: "bf61615f41001cff"))
        let error = #expect(throws: CBORError.self) { try CBORDocument(bytes) }
        #expect(error?.code == .invalidChunk)
        #expect(error?.offset == 6)
        #expect(error?.path.description == "a")
    }
}
