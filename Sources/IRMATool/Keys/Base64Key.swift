import CryptoCore
import Foundation

/// HMAC keys in base64.
enum Base64Key {
    /// The bytes of a key in either alphabet, with or without padding, or nil.
    static func decoded(_ text: String) -> SecretBytes? {
        var standard = text.trimmingCharacters(in: .whitespacesAndNewlines)
            .replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        guard standard.utf8.count % 4 != 1 else { return nil }
        while standard.utf8.count % 4 != 0 { standard += "=" }
        guard var bytes = Data(base64Encoded: standard) else { return nil }
        defer { bytes.resetBytes(in: 0..<bytes.count) }
        return SecretBytes(bytes)
    }
}
