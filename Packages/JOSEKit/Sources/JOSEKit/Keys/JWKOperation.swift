/// One thing that a key may be used for: a value in `key_ops` (RFC 7517, section 4.3), of an open set.
public struct JWKOperation: RawRepresentable, Hashable, Sendable {
    /// The value; letter case matters.
    public let rawValue: String

    /// An operation by its value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Making signatures or MACs.
    public static let sign = JWKOperation(rawValue: "sign")
    /// Verifying signatures or MACs.
    public static let verify = JWKOperation(rawValue: "verify")
    /// Encrypting content.
    public static let encrypt = JWKOperation(rawValue: "encrypt")
    /// Decrypting content.
    public static let decrypt = JWKOperation(rawValue: "decrypt")
    /// Encrypting keys.
    public static let wrapKey = JWKOperation(rawValue: "wrapKey")
    /// Decrypting keys.
    public static let unwrapKey = JWKOperation(rawValue: "unwrapKey")
    /// Deriving keys.
    public static let deriveKey = JWKOperation(rawValue: "deriveKey")
    /// Deriving bits that are not used as a key.
    public static let deriveBits = JWKOperation(rawValue: "deriveBits")

    /// Returns `true` if the values have the same bytes.
    public static func == (left: JWKOperation, right: JWKOperation) -> Bool {
        left.rawValue.hasSameBytes(as: right.rawValue)
    }

    /// Feeds the bytes of the value.
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
    }

    /// The operation of the public key that goes with this one of its private key; nil for those of a key agreement.
    var ofPublicKey: JWKOperation? {
        switch self {
        case .sign: .verify
        case .decrypt: .encrypt
        case .unwrapKey: .wrapKey
        case .deriveKey, .deriveBits: nil
        default: self
        }
    }

    /// The use that a known operation belongs to, with which `use` must agree where both are there.
    var use: JWKUse? {
        switch self {
        case .sign, .verify: .signature
        case .encrypt, .decrypt, .wrapKey, .unwrapKey, .deriveKey, .deriveBits: .encryption
        default: nil
        }
    }
}
