import CryptoCore
import VerificationCore

/// A credential type as far as proofs depend on its description; names are compared by their bytes.
public struct IdemixCredentialType: Hashable, Sendable {
    /// The identifier: `scheme.issuer.type`.
    public var identifier: String { exactIdentifier.text }
    /// The number of attributes, besides the secret key and the metadata.
    public let attributeCount: Int
    /// The base indices of the random-blind attributes.
    public let blindIndices: Set<Int>
    /// The base index of the revocation attribute, or `nil` if credentials of the type cannot be revoked.
    public let revocationIndex: Int?
    /// The keyshare server that holds a part of the secret key, or `nil`.
    public var keyshareServer: String? { exactKeyshareServer?.text }
    private let exactIdentifier: ExactText
    private let exactKeyshareServer: ExactText?

    /// Describes a type.
    ///
    /// - Throws: ``IdemixError/Code/invalidAttributeCount`` for a negative number of attributes,
    ///   ``IdemixError/Code/invalidIndices`` for an index that is not an attribute's.
    public init(
        identifier: String,
        attributeCount: Int,
        blindIndices: Set<Int> = [],
        revocationIndex: Int? = nil,
        keyshareServer: String? = nil
    ) throws(IdemixError) {
        guard (0..<IdemixKeyElements.maximumBases).contains(attributeCount) else {
            throw IdemixError(.invalidAttributeCount, "a type with \(attributeCount) attributes")
        }
        let named = blindIndices.union(revocationIndex.map { [$0] } ?? [])
        guard named.allSatisfy({ $0 >= 2 && $0 <= attributeCount + 1 }) else {
            throw IdemixError(.invalidIndices, "a base index is no attribute's")
        }
        exactIdentifier = ExactText(identifier)
        self.attributeCount = attributeCount
        self.blindIndices = blindIndices
        self.revocationIndex = revocationIndex
        exactKeyshareServer = keyshareServer.map { ExactText($0) }
    }

    /// The first 16 bytes of the SHA-256 of the identifier, as the metadata of credentials names the type.
    public var hash: [UInt8] { Self.hash(of: identifier) }

    static func hash(of identifier: String) -> [UInt8] {
        Array(HashAlgorithm.sha256.digest(of: Array(identifier.utf8)).prefix(16))
    }
}
