package import CryptoCore

/// Texts that are hard to guess: tokens, pairing codes, and names of new accounts.
package enum RandomText {
    /// Letters and digits, each with the same probability.
    package static func lettersAndDigits(_ count: Int, using randomness: any RandomSource) -> String {
        draw(count, from: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", using: randomness)
    }

    /// Digits, each with the same probability.
    package static func digits(_ count: Int, using randomness: any RandomSource) -> String {
        draw(count, from: "0123456789", using: randomness)
    }

    private static func draw(_ count: Int, from alphabet: String, using randomness: any RandomSource) -> String {
        let alphabet = Array(alphabet.utf8)
        // Bytes above the largest multiple of the alphabet's size are drawn again.
        let bound = 256 / alphabet.count * alphabet.count
        var characters: [UInt8] = []
        while characters.count < count {
            for byte in randomness.bytes(count - characters.count) where Int(byte) < bound {
                characters.append(alphabet[Int(byte) % alphabet.count])
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
