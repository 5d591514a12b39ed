/// The numbers of the tags that this module has typed support for; all other tags pass through untouched.
public enum CBORTag {
    /// Date and time as text (RFC 8949 section 3.4.1); see ``CBORDateTime``.
    public static let dateTime: UInt64 = 0
    /// Seconds since 1970-01-01T00:00Z (RFC 8949 section 3.4.2); see ``CBOREpochTime``.
    public static let epochTime: UInt64 = 1
    /// An integer from 0 on as a byte string (RFC 8949 section 3.4.3); see ``CBORBigInteger``.
    public static let unsignedBignum: UInt64 = 2
    /// A negative integer as a byte string (RFC 8949 section 3.4.3); see ``CBORBigInteger``.
    public static let negativeBignum: UInt64 = 3
    /// A number m · 10^e (RFC 8949 section 3.4.4); see ``CBORDecimalFraction``.
    public static let decimalFraction: UInt64 = 4
    /// A number m · 2^e (RFC 8949 section 3.4.4); see ``CBORBigfloat``.
    public static let bigfloat: UInt64 = 5
    /// A COSE_Sign1 message (RFC 9052 section 4.2).
    public static let coseSign1: UInt64 = 18
    /// Byte strings within become base64url text in JSON (RFC 8949 section 3.4.5.2).
    public static let expectedBase64URL: UInt64 = 21
    /// Byte strings within become base64 text in JSON (RFC 8949 section 3.4.5.2).
    public static let expectedBase64: UInt64 = 22
    /// Byte strings within become base16 text in JSON (RFC 8949 section 3.4.5.2).
    public static let expectedBase16: UInt64 = 23
    /// A byte string that holds an encoded item (RFC 8949 section 3.4.5.1); see ``CBORView/embedded(options:)``.
    public static let encodedItem: UInt64 = 24
    /// A URI (RFC 8949 section 3.4.5.3).
    public static let uri: UInt64 = 32
    /// Days since 1970-01-01 (RFC 8943); see ``CBORDate``.
    public static let epochDate: UInt64 = 100
    /// A date as text (RFC 8943); see ``CBORDate``.
    public static let fullDate: UInt64 = 1004
    /// The bytes are CBOR, with any item (RFC 8949 section 3.4.6).
    public static let selfDescribed: UInt64 = 55799
}

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
