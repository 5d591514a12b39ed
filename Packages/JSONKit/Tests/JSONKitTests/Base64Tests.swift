import JSONKit
import TestSupport
import Testing

/// RFC 4648.
@Suite struct Base64Tests {
    /// Section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func readsAndWritesTheSamples(plain: String, text: String) throws {
        #expect(JSONBase64.base64.encode(Array(plain.utf8)) == text)
        #expect(try JSONBase64.base64.decode(text) == Array(plain.utf8))
        let unpadded = String(text.prefix { $0 != "=" })
        #expect(JSONBase64.base64url.encode(Array(plain.utf8)) == unpadded)
        #expect(try JSONBase64.base64url.decode(unpadded) == Array(plain.utf8))
    }

    @Test func usesBothAlphabets() throws {
        let bytes: [UInt8] = [0xfb, 0xef, 0xbe, 0xff, 0xff, 0xff]
        #expect(JSONBase64.base64.encode(bytes) == "++++////")
        #expect(JSONBase64.base64url.encode(bytes) == "----____")
        #expect(try JSONBase64.base64.decode("++++////") == bytes)
        #expect(try JSONBase64.base64url.decode("----____") == bytes)
    }

    @Test(arguments: ["A", "AAAAA", "AA==", "AAA=", "AB", "AAB", "A A", "AA\n", "+///", "AA.A", "éA"])
    func base64urlRefuses(text: String) {
        let error = #expect(throws: JSONError.self) { try JSONBase64.base64url.decode(text) }
        #expect(error?.code == .invalidBase64)
    }

    @Test(arguments: [
        "A", "AA", "AAA", "A===", "====", "AA=A", "AB==", "AAB=", "=AAA", "AAA=AAAA", "-_-_", "AAA\n", "==",
    ])
    func base64Refuses(text: String) {
        let error = #expect(throws: JSONError.self) { try JSONBase64.base64.decode(text) }
        #expect(error?.code == .invalidBase64)
    }

    @Test func everyLengthReadsBack() throws {
        var generator = RepeatableRandomNumberGenerator(seed: 4648)
        for length in 0..<100 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(try JSONBase64.base64.decode(JSONBase64.base64.encode(bytes)) == bytes)
            #expect(try JSONBase64.base64url.decode(JSONBase64.base64url.encode(bytes)) == bytes)
        }
    }
}
