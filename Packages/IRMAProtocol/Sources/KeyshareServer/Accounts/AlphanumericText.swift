package import CryptoCore

/// Texts that are hard to guess: names of new accounts, and tokens.
package enum AlphanumericText {
    private static let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// A random text of letters and digits, each with the same probability.
    package static func random(length: Int, using random: any RandomSource) -> String {
        // The largest multiple of the number of characters below 256.
        let bound = 256 / characters.count * characters.count
        var text: [UInt8] = []
        while text.count < length {
            let fair = random.bytes(2 * length).filter { $0 < bound }
            text += fair.prefix(length - text.count).map { characters[Int($0) % characters.count] }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
