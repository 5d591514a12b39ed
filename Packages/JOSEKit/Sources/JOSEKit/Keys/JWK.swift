import CryptoCore
public import JSONKit

/// A JSON Web Key (RFC 7517): a public, private or symmetric key with its attributes.
///
/// Its numbers were checked when it was made, so that a value of this type is a key. Private and symmetric parts are in
/// wiped storage, in no description or mirror, and in no export but the one that says so.
public struct JWK: Sendable {
    private let parts: Parts

    /// The metadata of the key, beside its numbers.
    var attributes: JWKAttributes { parts.attributes }

    var material: Material { parts.material }

    /// All members but the private ones, in the order in which they stand: the public key and its attributes.
    public var members: JSONObject { parts.members }

    /// The numbers of a key.
    enum Material: Sendable {
        case publicKey(CryptoCore.PublicKey)
        case privateKey(CryptoCore.PrivateKey)
        case symmetric(SecretBytes)
    }

    init(material: Material, members: JSONObject, attributes: JWKAttributes) {
        parts = Parts(material: material, members: members, attributes: attributes)
    }

    /// The parts of a key, on the heap, since each step of a verification passes them on.
    private final class Parts: Sendable {
        let material: Material
        let members: JSONObject
        let attributes: JWKAttributes

        init(material: Material, members: JSONObject, attributes: JWKAttributes) {
            self.material = material
            self.members = members
            self.attributes = attributes
        }
    }

    /// The family (`kty`).
    public var keyType: JWKType { parts.attributes.keyType }
    /// The identifier (`kid`), which need not be unique.
    public var keyID: String? { parts.attributes.keyID }
    /// The intended use of the key (`use`), or nil for any.
    public var use: JWKUse? { parts.attributes.use }
    /// The only operations that the key may be used for (`key_ops`), or nil for any that fit.
    public var keyOperations: Set<JWKOperation>? { parts.attributes.keyOperations }
    /// The only algorithm that the key may be used with (`alg`), or nil for any that fits.
    public var algorithm: String? { parts.attributes.algorithm }
    /// The certificates in DER (`x5c`), of which the first is the key's; nil if there are none.
    ///
    /// They are not validated, but for the first one's key being this one.
    public var certificateChain: [[UInt8]]? { parts.attributes.certificateChain }

    /// Indicates that the key has a private part, or is symmetric.
    public var isSecret: Bool {
        if case .publicKey = parts.material { return false }
        return true
    }

    /// The curve, or nil for RSA and symmetric keys.
    public var curve: String? { members["crv"]?.stringValue }
}

extension JWK: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type, the curve and whether the key is secret; nothing of its numbers.
    public var description: String {
        let parts = [keyType.rawValue, curve, isSecret ? "secret" : nil].compactMap { $0 }
        return "JWK(\(parts.joined(separator: ", ")))".escapedForDisplay()
    }

    /// The same as the description.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
