/// The text that byte strings are to become in JSON, as tags 21 to 23 say (RFC 8949 section 3.4.5.2).
public enum CBORExpectedEncoding: UInt64, Hashable, Sendable {
    /// base64url without padding (tag 21).
    case base64URL = 21
    /// base64 with padding (tag 22).
    case base64 = 22
    /// base16 in upper case (tag 23).
    case base16 = 23

    /// The text for some bytes.
    public func text(for bytes: some Collection<UInt8>) -> String {
        switch self {
        case .base64URL: Base64.text(bytes, alphabet: .url, isPadded: false)
        case .base64: Base64.text(bytes, alphabet: .standard, isPadded: true)
        case .base16: Hex.text(bytes).uppercased()
        }
    }
}
