import JOSEKit

/// Bytes as text that names its own encoding: base58btc (`z`) and base64url without padding (`u`) (Controlled
/// Identifiers 1.0, section 2.4).
public enum Multibase {
    /// The encodings, by their prefix.
    public enum Encoding: Hashable, Sendable {
        /// base58btc, of at most 1024 characters.
        case base58btc
        /// base64url without padding.
        case base64url
    }

    /// Writes bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - encoding: The encoding. The time for base58btc grows with the square of the length.
    public static func encode(_ bytes: [UInt8], as encoding: Encoding = .base58btc) -> String {
        switch encoding {
        case .base58btc: "z" + Base58.encode(bytes)
        case .base64url: "u" + Base64URL.encode(bytes)
        }
    }

    /// Reads a text; each sequence of bytes has one text in an encoding.
    ///
    /// - Parameters:
    ///   - text: The text with its prefix.
    ///   - encodings: The accepted encodings.
    /// - Throws: ``DIDError/Code/malformed`` for another prefix, a character outside the alphabet, and a text in
    ///   base58btc that is too long.
    public static func decode(
        _ text: String,
        accepting encodings: Set<Encoding> = [.base58btc, .base64url]
    ) throws(DIDError) -> [UInt8] {
        switch text.utf8.first {
        case UInt8(ascii: "z") where encodings.contains(.base58btc):
            guard let bytes = Base58.decode(text.utf8.dropFirst()) else {
                throw DIDError(.malformed, "the text is not in base58btc")
            }
            return bytes
        case UInt8(ascii: "u") where encodings.contains(.base64url):
            do throws(JOSEError) {
                return try Base64URL.decode(text.utf8.dropFirst())
            } catch {
                throw DIDError(.malformed, "the text is not in base64url", cause: error)
            }
        default:
            throw DIDError(.malformed, "the text has no prefix of an accepted encoding")
        }
    }
}
