/// The family of a COSE_Key (`kty`, registry "COSE Key Types").
///
/// An open set: a key of another type can be read and named, and is not usable.
public struct COSEKeyType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The identifier: an integer, or a text for types that someone made up.
    public let rawValue: COSELabel

    /// The key type of an identifier, known or not.
    public init(rawValue: COSELabel) {
        self.rawValue = rawValue
    }

    /// Octet key pairs: Ed25519, Ed448, X25519, X448 (RFC 9053 section 7.2).
    public static let okp = COSEKeyType(rawValue: 1)
    /// Elliptic curve keys with two coordinates (RFC 9053 section 7.1).
    public static let ec2 = COSEKeyType(rawValue: 2)
    /// RSA keys (RFC 8230).
    public static let rsa = COSEKeyType(rawValue: 3)
    /// Symmetric keys (RFC 9053 section 7.3).
    public static let symmetric = COSEKeyType(rawValue: 4)

    /// The name in the registry, or the identifier.
    public var description: String {
        switch self {
        case .okp: "OKP"
        case .ec2: "EC2"
        case .rsa: "RSA"
        case .symmetric: "Symmetric"
        default: "kty \(rawValue)"
        }
    }
}
