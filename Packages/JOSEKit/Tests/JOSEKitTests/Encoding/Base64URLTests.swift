import JOSEKit
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

    @Test(arguments: [
        "Zg==", "Zg=", "Zm8=", "Zm9v=", "Z", "Zm9vY", "Zm+v", "Zm/v", "Zm9 v", "Zm9v\n", "\tZm9v", "Zh", "Zm9",
        "Zm9vYh",
        "Zm9vYmF", "Zmé", "Zg\0\0", "Zm.v", "ZmⅭv", "====",
    ])
    func otherFormsAreRefused(text: String) {
        expectRefusal(.invalidBase64URL) { try Base64URL.decode(text) }
    }

    @Test func everyOtherByteIsRefusedAtEveryPlace() {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for length in [2, 3, 4, 7, 8] {
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
