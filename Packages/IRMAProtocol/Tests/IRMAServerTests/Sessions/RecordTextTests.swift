import CryptoCore
import JSONKit
import Testing

@testable import IRMAServer

/// The text in which a store keeps a session, and the mark of the last request.
@Suite struct RecordTextTests {
    @Test func keepsEveryCharacter() throws {
        let all = String(String.UnicodeScalarView((0...0x2ff).compactMap { Unicode.Scalar($0) })) + "\u{2028}😀\\\"/"
        var text = RecordText(capacity: 0)
        text.beginObject()
        text.write(all, all)
        text.write("none", ifPresent: nil)
        text.name("list")
        text.beginArray()
        text.write("")
        text.write("a")
        text.endArray()
        text.write("number", Int64.min)
        text.write("value", JSONValue.array([true]))
        text.name("object")
        text.beginObject()
        text.endObject()
        text.endObject()
        var expected: JSONObject = [
            "list": ["", "a"], "number": .integer(Int64.min), "value": [true], "object": .object(JSONObject()),
        ]
        expected[all] = .string(all)
        #expect(try JSONValue(parsing: text.bytes) == .object(expected))
    }

    @Test(arguments: [0, 1, BodyMark.digestedSize, BodyMark.digestedSize + 1, 100_000])
    func aMarkIsThatOfItsBodyAlone(_ size: Int) {
        let body = [UInt8](repeating: 0x20, count: size)
        let mark = BodyMark(of: body, isRefused: false, using: .system)
        #expect(mark.matches(body) && mark.size == size)
        #expect(!mark.matches(body + [0x20]))
        if size > 0 { #expect(!mark.matches(Array(body.dropLast()))) }
        for position in stride(from: 0, to: size, by: 9999) {
            var other = body
            other[position] ^= 1
            #expect(!mark.matches(other))
        }
        for count in [0, 32] {
            #expect(!BodyMark(size: size, bytes: Array(mark.bytes.prefix(count)) + [7]).matches(body))
        }
    }

    @Test func aTagHasAKeyOfItsOwn() {
        let body = [UInt8](repeating: 0x20, count: BodyMark.digestedSize + 1)
        let marks = (0..<2).map { _ in BodyMark(of: body, isRefused: false, using: .system) }
        #expect(marks[0] != marks[1] && marks[0].bytes.count == 48)
    }

    @Test(arguments: [0, 2 * BodyMark.endSize, 2 * BodyMark.endSize + 1, BodyMark.digestedSize + 1])
    func aRefusedBodyIsKnownByItsSizeAndItsEnds(_ size: Int) {
        let body = [UInt8](repeating: 0x20, count: size)
        let mark = BodyMark(of: body, isRefused: true, using: .system)
        #expect(mark.matches(body))
        #expect(!mark.matches(body + [0x20]))
        let ends = [0, BodyMark.endSize - 1, size - BodyMark.endSize, size - 1]
        for position in ends where body.indices.contains(position) {
            var other = body
            other[position] ^= 1
            #expect(!mark.matches(other))
        }
        // Stored with the first half of a digest of the whole, as no process writes it.
        let half = HashAlgorithm.sha256.digest(of: [0x21] + body.dropFirst()).prefix(16)
        #expect(!BodyMark(size: size, bytes: Array(half)).matches(body))
    }
}
