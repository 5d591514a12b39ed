import CryptoCore

/// The key management algorithm of a JWE: a value of `alg` (RFC 7518, section 4).
///
/// An open set: an unknown name can be read, reported and refused. Algorithms are equal if their names have the same
/// bytes.
public struct JWEAlgorithm: RawRepresentable, Hashable, Sendable {
    /// The name; letter case matters.
    public let rawValue: String

    /// The algorithm of a name, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Indicates that this library implements the algorithm.
    public var isSupported: Bool { primitive != nil }

    /// Returns `true` if the names have the same bytes.
    public static func == (left: JWEAlgorithm, right: JWEAlgorithm) -> Bool {
        left.rawValue.hasSameBytes(as: right.rawValue)
    }

    /// Feeds the bytes of the name.
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
    }
}

extension JWEAlgorithm: CustomStringConvertible {
    /// The name for people, with invisible characters escaped.
    public var description: String { rawValue.escapedForDisplay() }
}

extension JWEAlgorithm {
    /// The shared key is the content encryption key.
    public static let dir = JWEAlgorithm(rawValue: "dir")
    /// AES Key Wrap with a key of 128 bits.
    public static let a128KW = JWEAlgorithm(rawValue: "A128KW")
    /// AES Key Wrap with a key of 192 bits.
    public static let a192KW = JWEAlgorithm(rawValue: "A192KW")
    /// AES Key Wrap with a key of 256 bits.
    public static let a256KW = JWEAlgorithm(rawValue: "A256KW")
    /// Key encryption by AES-GCM with a key of 128 bits.
    public static let a128GCMKW = JWEAlgorithm(rawValue: "A128GCMKW")
    /// Key encryption by AES-GCM with a key of 192 bits.
    public static let a192GCMKW = JWEAlgorithm(rawValue: "A192GCMKW")
    /// Key encryption by AES-GCM with a key of 256 bits.
    public static let a256GCMKW = JWEAlgorithm(rawValue: "A256GCMKW")
    /// Key agreement with an ephemeral key, whose result is the content encryption key.
    public static let ecdhES = JWEAlgorithm(rawValue: "ECDH-ES")
    /// Key agreement with an ephemeral key, whose result wraps the content encryption key with A128KW.
    public static let ecdhES_A128KW = JWEAlgorithm(rawValue: "ECDH-ES+A128KW")
    /// Key agreement with an ephemeral key, whose result wraps the content encryption key with A192KW.
    public static let ecdhES_A192KW = JWEAlgorithm(rawValue: "ECDH-ES+A192KW")
    /// Key agreement with an ephemeral key, whose result wraps the content encryption key with A256KW.
    public static let ecdhES_A256KW = JWEAlgorithm(rawValue: "ECDH-ES+A256KW")
    /// RSAES-OAEP with SHA-1, which is no weakness here.
    public static let rsaOAEP = JWEAlgorithm(rawValue: "RSA-OAEP")
    /// RSAES-OAEP with SHA-256.
    public static let rsaOAEP256 = JWEAlgorithm(rawValue: "RSA-OAEP-256")
    /// RSAES-OAEP with SHA-384.
    public static let rsaOAEP384 = JWEAlgorithm(rawValue: "RSA-OAEP-384")
    /// RSAES-OAEP with SHA-512.
    public static let rsaOAEP512 = JWEAlgorithm(rawValue: "RSA-OAEP-512")
    /// A key derived from a password with HMAC SHA-256, which wraps with A128KW.
    public static let pbes2HS256_A128KW = JWEAlgorithm(rawValue: "PBES2-HS256+A128KW")
    /// A key derived from a password with HMAC SHA-384, which wraps with A192KW.
    public static let pbes2HS384_A192KW = JWEAlgorithm(rawValue: "PBES2-HS384+A192KW")
    /// A key derived from a password with HMAC SHA-512, which wraps with A256KW.
    public static let pbes2HS512_A256KW = JWEAlgorithm(rawValue: "PBES2-HS512+A256KW")

    /// Dangerous algorithms, for reading existing messages.
    public enum Insecure {
        /// RSAES-PKCS1-v1_5, for decryption only, because its padding has leaked too often.
        ///
        /// A wrong padding counts as a random key, so that it cannot be detected (RFC 7516, section 11.5).
        public static let rsa1_5 = JWEAlgorithm(rawValue: "RSA1_5")
    }

    /// Every algorithm that this library implements, but for the insecure one and those with passwords.
    public static let all: [JWEAlgorithm] = [
        .dir, .a128KW, .a192KW, .a256KW, .a128GCMKW, .a192GCMKW, .a256GCMKW, .ecdhES, .ecdhES_A128KW, .ecdhES_A192KW,
        .ecdhES_A256KW, .rsaOAEP, .rsaOAEP256, .rsaOAEP384, .rsaOAEP512,
    ]

    /// The algorithms with passwords.
    public static let passwordBased: [JWEAlgorithm] = [.pbes2HS256_A128KW, .pbes2HS384_A192KW, .pbes2HS512_A256KW]
}
