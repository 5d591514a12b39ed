import CryptoCore
import JOSEKit

/// Makes and recognises the random names of transactions: 16 bytes in base64url.
enum TransactionTokens {
    private static let size = 16

    /// A token of 128 random bits.
    static func make(using randomness: any RandomSource) -> String {
        Base64URL.encode(randomness.bytes(size))
    }

    /// Returns `true` for a text that can be a token.
    static func isToken(_ text: String) -> Bool {
        text.utf8.count == 22 && (try? Base64URL.decode(text)) != nil
    }

    /// Compares two secrets in a time that depends on their lengths only.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        constantTimeEqual(Array(left.utf8), Array(right.utf8))
    }
}
