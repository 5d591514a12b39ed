/// A COSE algorithm identifier: an integer of the IANA registry "COSE Algorithms".
///
/// An open set: an identifier that this library does not know can be read, named and refused. Text identifiers, which
/// the registry allows and never assigned, are refused where they occur.
public struct COSEAlgorithm: RawRepresentable, Hashable, Sendable {
    /// The identifier; its sign matters: -7 is ES256, 6 is HMAC 384/384.
    public let rawValue: Int

    /// The algorithm of an identifier, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Indicates that this library implements the algorithm.
    public var isSupported: Bool {
        if case .nameOnly = primitive { return false }
        return true
    }
}

extension COSEAlgorithm: CustomStringConvertible {
    /// The name in the registry and the identifier, such as `ES256 (-7)`; the bare identifier where it has no name.
    public var description: String {
        guard let name else { return "algorithm \(rawValue)" }
        return "\(name) (\(rawValue))"
    }
}

extension COSEAlgorithm {
    /// ECDSA with SHA-256, the curve left open (RFC 9053 section 2.1).
    public static let es256 = COSEAlgorithm(rawValue: -7)
    /// ECDSA with SHA-384, the curve left open (RFC 9053 section 2.1).
    public static let es384 = COSEAlgorithm(rawValue: -35)
    /// ECDSA with SHA-512, the curve left open (RFC 9053 section 2.1).
    public static let es512 = COSEAlgorithm(rawValue: -36)
    /// ECDSA on secp256k1 with SHA-256 (RFC 8812).
    public static let es256K = COSEAlgorithm(rawValue: -47)
    /// EdDSA on Ed25519 or Ed448, as the key says (RFC 9053 section 2.2).
    public static let edDSA = COSEAlgorithm(rawValue: -8)

    /// ECDSA on P-256 with SHA-256 (RFC 9864).
    public static let esp256 = COSEAlgorithm(rawValue: -9)
    /// ECDSA on P-384 with SHA-384 (RFC 9864).
    public static let esp384 = COSEAlgorithm(rawValue: -51)
    /// ECDSA on P-521 with SHA-512 (RFC 9864).
    public static let esp512 = COSEAlgorithm(rawValue: -52)
    /// ECDSA on brainpoolP256r1 with SHA-256 (RFC 9864).
    public static let esb256 = COSEAlgorithm(rawValue: -265)
    /// ECDSA on brainpoolP320r1 with SHA-384 (RFC 9864).
    public static let esb320 = COSEAlgorithm(rawValue: -266)
    /// ECDSA on brainpoolP384r1 with SHA-384 (RFC 9864).
    public static let esb384 = COSEAlgorithm(rawValue: -267)
    /// ECDSA on brainpoolP512r1 with SHA-512 (RFC 9864).
    public static let esb512 = COSEAlgorithm(rawValue: -268)
    /// EdDSA on Ed25519 (RFC 9864).
    public static let ed25519 = COSEAlgorithm(rawValue: -19)
    /// EdDSA on Ed448 (RFC 9864).
    public static let ed448 = COSEAlgorithm(rawValue: -53)

    /// RSASSA-PSS with SHA-256 and a salt of 32 bytes (RFC 8230).
    public static let ps256 = COSEAlgorithm(rawValue: -37)
    /// RSASSA-PSS with SHA-384 and a salt of 48 bytes (RFC 8230).
    public static let ps384 = COSEAlgorithm(rawValue: -38)
    /// RSASSA-PSS with SHA-512 and a salt of 64 bytes (RFC 8230).
    public static let ps512 = COSEAlgorithm(rawValue: -39)
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8812).
    public static let rs256 = COSEAlgorithm(rawValue: -257)
    /// RSASSA-PKCS1-v1_5 with SHA-384 (RFC 8812).
    public static let rs384 = COSEAlgorithm(rawValue: -258)
    /// RSASSA-PKCS1-v1_5 with SHA-512 (RFC 8812).
    public static let rs512 = COSEAlgorithm(rawValue: -259)

    /// Broken algorithms, for reading existing messages.
    public enum Insecure {
        /// RSASSA-PKCS1-v1_5 with SHA-1 (RFC 8812): collisions can be made in practice.
        public static let rs1 = COSEAlgorithm(rawValue: -65535)
    }
}
