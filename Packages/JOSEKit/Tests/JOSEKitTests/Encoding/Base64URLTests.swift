@_spi(Layers) import JOSEKit
import TestSupport
import Testing

@Suite struct Base64URLTests {
    @Test func figuresOfRFC4648() throws {
        let figures = [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ]
        for (plain, text) in figures {
            #expect(Base64URL.encode(Array(plain.utf8)) == text)
            #expect(try Base64URL.decode(text) == Array(plain.utf8))
        }
    }

    @Test func alphabetIsTheOneForURLs() throws {
        #expect(Base64URL.encode([0xfb, 0xff, 0xfe]) == "-__-")
        #expect(try Base64URL.decode("-__-") == [0xfb, 0xff, 0xfe])
    }

    @Test func everyLengthComesBack() throws {
        var generator = RepeatableRandomNumberGenerator(seed: 64)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = Base64URL.encode(bytes)
            #expect(try Base64URL.decode(text) == bytes)
            #expect(Base64URL.encodedBytes(AnyCollection(bytes)) == Array(text.utf8))
            #expect(try Base64URL.decode(AnyCollection(Array(text.utf8))) == bytes)
        }
    }

    @Test func bytesOfAnArrayAreWrittenOver() {
        var generator = RepeatableRandomNumberGenerator(seed: 65)
        for count in 0..<50 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = Base64URL.encodedBytes(bytes)
            #expect(Base64URL.decodedCount(text.count) == count)
            var array = [UInt8](repeating: 7, count: count + 2)
            #expect(decode(text, into: &array, at: 1))
            #expect(array == [7] + bytes + [7])
            array = [UInt8](repeating: 7, count: count + 2)
            #expect(!decode(text, into: &array, at: -1))
            #expect(!decode(text, into: &array, at: 3))
            #expect(array == [UInt8](repeating: 7, count: count + 2))
        }
        var array = [UInt8](repeating: 7, count: 10)
        for text in ["Zg=", "Z", "Zh", "Zm9", "Zm9vY!"] {
            #expect(!decode(Array(text.utf8), into: &array, at: 0))
        }
        #expect(array.suffix(5) == [7, 7, 7, 7, 7])
    }

    private func decode(_ text: [UInt8], into bytes: inout [UInt8], at start: Int) -> Bool {
        Base64URL.decode(text.span, into: &bytes, at: start)
    }

    @Test(arguments: ["=", "+", "/", " ", ".", "\u{0}", "\u{ff}"] as [Unicode.Scalar])
    func noPlaceTakesAnotherCharacter(character: Unicode.Scalar) {
        for count in 2...40 where count % 4 != 1 {
            for place in 0..<count {
                var text = [UInt8](repeating: UInt8(ascii: "A"), count: count)
                text[place] = UInt8(truncatingIfNeeded: character.value)
                expectRefusal(.invalidBase64URL) { try Base64URL.decode(text) }
            }
        }
    }

    @Test func bytesAreComparedByWords() {
        var generator = RepeatableRandomNumberGenerator(seed: 66)
        for count in 0..<40 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(areEqual(bytes, Array(bytes)))
            #expect(!areEqual(bytes, bytes + [0]))
            for place in bytes.indices {
                var other = bytes
                other[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                #expect(!areEqual(bytes, other))
            }
            let head = bytes.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(8 * $1.offset) }
            let found = ByteScan.head(of: bytes.span)
            #expect(found == (count < 8 ? 0 : head))
        }
    }

    private func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        ByteScan.areEqual(one.span, other.span)
    }

    /// Bytes that differ from the one that is looked for by one, and by their high bit, stand beside it.
    @Test func bytesAreFoundAtEveryPlace() {
        let text = (0..<64).flatMap { _ in [0x7e, 0x7f, 0xfe, 0x7d, 0x7e, 0x7e, 0x00, 0x7f, 0xff] as [UInt8] }
        for end in 0...text.count {
            let places = text[..<end].indices.filter { text[$0] == 0x7e }
            let part = Array(text[..<end])
            let found = ByteScan.places(of: 0x7e, in: part.span)
            let first = ByteScan.places(of: 0x7e, in: part.span, atMost: 5)
            #expect(found == places)
            #expect(first == Array(places.prefix(5)))
        }
    }

    @Test(arguments: [
        "Zg==", "Zg=", "Zm8=", "Zm9v=", "Z", "Zm9vY", "Zm+v", "Zm/v", "Zm9 v", "Zm9v\n", "\tZm9v", "Zh", "Zm9",
        "Zm9vYh",
        "Zm9vYmF", "Zmé", "Zg\0\0", "Zm.v", "ZmⅭv", "====",
    ])
    func otherFormsAreRefused(text: String) {
        expectRefusal(.invalidBase64URL) { try Base64URL.decode(text) }
    }

    @Test func everyCharacterCountsAtEveryPlaceOfALongText() throws {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for (value, character) in alphabet.enumerated() {
            for place in 0..<32 {
                var text = [UInt8](repeating: UInt8(ascii: "A"), count: 32)
                text[place] = character
                var bytes = [UInt8](repeating: 0, count: 24)
                for bit in 0..<6 where value >> (5 - bit) & 1 == 1 {
                    let place = place * 6 + bit
                    bytes[place / 8] |= 0x80 >> UInt8(place % 8)
                }
                #expect(try Base64URL.decode(text) == bytes)
            }
        }
    }

    @Test func everyOtherByteIsRefusedAtEveryPlace() {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for length in [2, 3, 4, 7, 8, 32] {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max where !alphabet.contains(byte) {
                    var text = [UInt8](repeating: UInt8(ascii: "A"), count: length)
                    text[place] = byte
                    #expect(throws: JOSEError.self) { try Base64URL.decode(text) }
                }
            }
        }
    }
}
