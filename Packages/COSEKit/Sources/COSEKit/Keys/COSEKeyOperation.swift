/// A use that a COSE_Key may be restricted to (`key_ops`, RFC 9052 section 7.1).
public struct COSEKeyOperation: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The identifier: an integer, or a text for operations that someone made up.
    public let rawValue: COSELabel

    /// The operation of an identifier, known or not.
    public init(rawValue: COSELabel) {
        self.rawValue = rawValue
    }

    /// Creating signatures; the key is private.
    public static let sign = COSEKeyOperation(rawValue: 1)
    /// Verifying signatures.
    public static let verify = COSEKeyOperation(rawValue: 2)
    /// Encrypting content, or a key to an RSA key.
    public static let encrypt = COSEKeyOperation(rawValue: 3)
    /// Decrypting content, or a key; the key is private or symmetric.
    public static let decrypt = COSEKeyOperation(rawValue: 4)
    /// Wrapping keys.
    public static let wrapKey = COSEKeyOperation(rawValue: 5)
    /// Unwrapping keys; the key is private or symmetric.
    public static let unwrapKey = COSEKeyOperation(rawValue: 6)
    /// Deriving keys; the key is private or symmetric.
    public static let deriveKey = COSEKeyOperation(rawValue: 7)
    /// Deriving bits that are not used as a key; the key is private or symmetric.
    public static let deriveBits = COSEKeyOperation(rawValue: 8)
    /// Creating authentication tags.
    public static let macCreate = COSEKeyOperation(rawValue: 9)
    /// Verifying authentication tags.
    public static let macVerify = COSEKeyOperation(rawValue: 10)

    /// The name of RFC 9052, or the identifier.
    public var description: String {
        switch self {
        case .sign: "sign"
        case .verify: "verify"
        case .encrypt: "encrypt"
        case .decrypt: "decrypt"
        case .wrapKey: "wrap key"
        case .unwrapKey: "unwrap key"
        case .deriveKey: "derive key"
        case .deriveBits: "derive bits"
        case .macCreate: "MAC create"
        case .macVerify: "MAC verify"
        default: "operation \(rawValue)"
        }
    }
}
