public import CryptoCore

/// The hash function of digests, named as in the IANA registry "Named Information Hash Algorithm" (RFC 9901,
/// section 4.1.1).
public struct SDHashAlgorithm: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name, such as `sha-256`; names differ if their case does.
    public let rawValue: String

    /// Takes a name, whether the function is implemented or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// SHA-256, the default.
    public static let sha256 = SDHashAlgorithm(rawValue: "sha-256")
    /// SHA-384.
    public static let sha384 = SDHashAlgorithm(rawValue: "sha-384")
    /// SHA-512.
    public static let sha512 = SDHashAlgorithm(rawValue: "sha-512")

    /// The functions that are implemented: those of the SHA-2 family whose output is not cut off.
    public static let supported: Set<SDHashAlgorithm> = [.sha256, .sha384, .sha512]

    /// The function, or nil if it is not implemented.
    public var hash: HashAlgorithm? {
        switch self {
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        default: nil
        }
    }

    /// The name for people, with invisible characters escaped.
    public var description: String { rawValue.escapedForDisplay() }

    /// The function.
    ///
    /// - Throws: ``SDJWTError/Code/unsupportedHashAlgorithm`` if it is not implemented.
    func requireHash() throws(SDJWTError) -> HashAlgorithm {
        guard let hash else {
            throw SDJWTError(.unsupportedHashAlgorithm, "the hash function \"\(rawValue)\" is not supported")
        }
        return hash
    }
}
