public import CryptoCore

/// The content encryption algorithm of a JWE: a value of `enc` (RFC 7518, section 5).
///
/// An open set: an unknown name can be read, reported and refused. Algorithms are equal if their names have the same
/// bytes.
public struct JWEEncryption: RawRepresentable, Hashable, Sendable {
    /// The name; letter case matters.
    public let rawValue: String

    /// The algorithm of a name, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The engine's algorithm, or nil for a name that is not implemented.
    public var aead: AEADAlgorithm? { Self.algorithms[self] }

    /// Returns `true` if the names have the same bytes.
    public static func == (left: JWEEncryption, right: JWEEncryption) -> Bool {
        left.rawValue.hasSameBytes(as: right.rawValue)
    }

    /// Feeds the bytes of the name.
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
    }

    private static let algorithms: [JWEEncryption: AEADAlgorithm] = [
        .a128GCM: .aes128GCM,
        .a192GCM: .aes192GCM,
        .a256GCM: .aes256GCM,
        .a128CBC_HS256: .aes128CBC_HS256,
        .a192CBC_HS384: .aes192CBC_HS384,
        .a256CBC_HS512: .aes256CBC_HS512,
    ]
}

extension JWEEncryption: CustomStringConvertible {
    /// The name for people, with invisible characters escaped.
    public var description: String { rawValue.escapedForDisplay() }
}

extension JWEEncryption {
    /// AES-GCM with a key of 128 bits.
    public static let a128GCM = JWEEncryption(rawValue: "A128GCM")
    /// AES-GCM with a key of 192 bits.
    public static let a192GCM = JWEEncryption(rawValue: "A192GCM")
    /// AES-GCM with a key of 256 bits.
    public static let a256GCM = JWEEncryption(rawValue: "A256GCM")
    /// AES-128-CBC with HMAC SHA-256.
    public static let a128CBC_HS256 = JWEEncryption(rawValue: "A128CBC-HS256")
    /// AES-192-CBC with HMAC SHA-384.
    public static let a192CBC_HS384 = JWEEncryption(rawValue: "A192CBC-HS384")
    /// AES-256-CBC with HMAC SHA-512.
    public static let a256CBC_HS512 = JWEEncryption(rawValue: "A256CBC-HS512")

    /// Every algorithm that this library implements.
    public static let all: [JWEEncryption] = [
        .a128GCM, .a192GCM, .a256GCM, .a128CBC_HS256, .a192CBC_HS384, .a256CBC_HS512,
    ]
}
