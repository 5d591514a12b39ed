public import CryptoCore

/// The hash function of a mobile security object, by its name (ISO/IEC 18013-5, 12.3.5); an open set.
public struct DigestAlgorithm: ExactName {
    /// The name as it travels, such as `SHA-256`.
    public let text: String

    /// Names an algorithm.
    public init(_ text: String) {
        self.text = text
    }

    /// SHA-256.
    public static let sha256: DigestAlgorithm = "SHA-256"
    /// SHA-384.
    public static let sha384: DigestAlgorithm = "SHA-384"
    /// SHA-512.
    public static let sha512: DigestAlgorithm = "SHA-512"

    /// The function, or nil for a name that the standard does not have.
    public var hash: HashAlgorithm? {
        switch self {
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        default: nil
        }
    }
}
