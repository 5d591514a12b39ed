import CryptoCore
import IRMAMessages

/// Makes and recognizes the tokens of sessions: 20 letters and digits.
enum SessionTokens {
    /// The number of characters: 119 bits of randomness.
    static let length = 20

    /// A token of which every character has the same probability.
    static func makeToken(using randomness: any RandomSource) -> String {
        RandomText.lettersAndDigits(length, using: randomness)
    }

    /// A pairing code of four digits.
    static func makePairingCode(using randomness: any RandomSource) -> String {
        RandomText.digits(4, using: randomness)
    }

    /// Returns `true` for a text that can be a token.
    static func isToken(_ text: String) -> Bool {
        text.utf8.count == length
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            }
    }

    /// Compares two secrets in a time that depends on their lengths only; absence is an empty secret.
    static func areEqual(_ left: String?, _ right: String?) -> Bool {
        constantTimeEqual(Array((left ?? "").utf8), Array((right ?? "").utf8))
    }
}
