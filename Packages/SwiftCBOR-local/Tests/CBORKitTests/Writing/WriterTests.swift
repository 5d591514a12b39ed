import CBORKit
import TestSupport
import Testing

/// Writing items one after the other, of definite and indefinite length.
@Suite struct WriterTests {
    @Test func writesEveryKind() throws {
        var writer = CBORWriter(capacity: 0)
        writer.beginArray(count: 12)
        writer.write(unsigned: .max)
        writer.write(negative: .max)
        writer.write(integer: -5 as Int8)
        writer.write(bytes: [1, 2])
        writer.write(text: "é")
        writer.write(.undefined)
        writer.write(bool: true)
        writer.writeNull()
        writer.write(double: 1.5)
        writer.beginMap(count: 1)
        writer.write(CBOR("k"))
        writer.write(tag: 1234)
        writer.write(encoded: [0x80])
        writer.write(embedded: [0x01])
        writer.write(CBORFloat(halfBitPattern: 0x3c00))
        let hex =
            "8c1bffffffffffffffff3bffffffffffffffff2442010262c3a9f7f5f6f93e00a1616bd904d280d8184101f93c00"
        #expect(writer.count == hex.count / 2)
        #expect(writer.finish().hex == hex)
        #expect(CBORError.reading(try [UInt8](figure: hex), .deterministic) == nil)
    }

    @Test(arguments: [0, 23, 24, 255, 256, 70_000])
    func writesByteStringsInTwoSteps(count: Int) {
        let bytes = [UInt8](repeating: 7, count: count)
        var writer = CBORWriter()
        writer.beginBytes(count: count)
        writer.write(encoded: bytes)
        #expect(writer.finish() == CBOR.bytes(bytes).encoded())
    }

    @Test func writesIndefiniteLengths() throws {
        var writer = CBORWriter()
        writer.beginIndefiniteArray()
        writer.beginIndefiniteMap()
        writer.write(text: "a")
        writer.beginIndefiniteBytes()
        writer.write(bytes: [1, 2])
        writer.write(bytes: [3])
        writer.endIndefinite()
        writer.endIndefinite()
        writer.beginIndefiniteText()
        writer.write(text: "x")
        writer.write(text: "yz")
        writer.endIndefinite()
        writer.endIndefinite()
        let bytes = writer.finish()
        #expect(bytes.hex == "9fbf61615f4201024103ffff7f617862797affff")
        let root = try CBORDocument(bytes).root
        #expect(root.value() == [["a": .bytes([1, 2, 3])], "xyz"])
        #expect(root.isIndefinite)
        let elements = try root.array()
        #expect(elements.count == 2)
        #expect(try elements.element(at: 1).text() == "xyz")
        #expect(try elements.element(at: 0).map().required("a").bytes() == [1, 2, 3])
        #expect(FormedCBOR(root).encoded() == bytes)
    }

    @Test func growsFarBeyondItsCapacity() throws {
        var writer = CBORWriter(capacity: 1)
        writer.beginArray(count: 3000)
        for number in 0..<3000 { writer.write(text: String(repeating: "n", count: number % 70)) }
        let elements = try CBORDocument(writer.finish()).root.array()
        #expect(elements.count == 3000)
        #expect(try elements.element(at: 2999).text().count == 2999 % 70)
    }
}
