import DIDKit
import Testing

struct MultibaseTests {
    @Test(arguments: [Multibase.Encoding.base58btc, .base64url])
    func readsWhatItWrites(_ encoding: Multibase.Encoding) throws {
        for bytes: [UInt8] in [[], [0], [0, 0, 1], [255], Array(0..<64)] {
            #expect(try Multibase.decode(Multibase.encode(bytes, as: encoding)) == bytes)
        }
    }

    @Test func writesThePrefixOfTheEncoding() {
        #expect(Multibase.encode([0, 0, 97], as: .base58btc) == "z112g")
        #expect(Multibase.encode([97], as: .base64url) == "uYQ")
    }

    @Test(arguments: [
        "", "112g", "z0", "zO", "zl", "m+/", "uY", "uYQ=", "uYR", "z" + String(repeating: "2", count: 1025),
        // A combining accent makes one character of itself and the prefix.
        "u\u{301}YQ", "z\u{301}112g",
    ])
    func refusesOtherText(_ text: String) {
        #expect { try Multibase.decode(text) } throws: { ($0 as? DIDError)?.code == .malformed }
    }

    @Test func refusesAnEncodingThatIsNotAccepted() {
        #expect { try Multibase.decode("uYQ", accepting: [.base58btc]) } throws: {
            ($0 as? DIDError)?.code == .malformed
        }
    }
}
